"""Raw output of one probed command or file -> typed facts; one module per command or file format. Pure."""
