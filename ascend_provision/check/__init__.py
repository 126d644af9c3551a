"""Facts + matrix -> findings; one module per topic. Pure."""
