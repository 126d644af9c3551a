"""The lab: simulated Ascend hosts that are real Linux hosts over real SSH."""
