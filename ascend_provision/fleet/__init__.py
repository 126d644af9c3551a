"""Everything that touches the world: inventory, ansible-runner, lease, journal, the executor loop."""
