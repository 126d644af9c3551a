"""One result model, rendered for people and for machines. A renderer decides nothing."""
