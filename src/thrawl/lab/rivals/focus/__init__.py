"""FoCUS (Jiang et al. 2012) to the letter, beside Thrawl's own learner: so that what was changed can be measured."""
