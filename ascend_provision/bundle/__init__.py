"""The package store: what is in a directory of `.run` files, and whether it is what its manifest says."""
