"""From raw output to facts: the probe's script, its answer, and one reader for each command and file format. Pure."""
