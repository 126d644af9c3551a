"""The nouns every other package speaks in. Pure: no network, no clock, no environment, no file."""
