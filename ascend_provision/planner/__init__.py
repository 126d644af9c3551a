"""Facts + target + packages -> plan, and the next step of a host. Pure."""
