"""Evidence without SSH: what somebody pasted or sent, told by its content, as the sections a probe would bring."""
