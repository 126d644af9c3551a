"""Bring Huawei Ascend NPU servers to a known-good software stack and prove that they are there."""

__version__ = "0.1.0"
