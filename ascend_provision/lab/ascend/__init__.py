"""The simulated Ascend hardware of a lab host: products, stacks, tools, boot, faults."""
