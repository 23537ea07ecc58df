"""The simulation platform of the list-wise paper (section 4.1): a forum's past, asked for any page at any moment."""
