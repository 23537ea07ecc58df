"""The other crawlers of the papers, as strategies that can be chosen: `strategies` names them all."""
