"""Studies that the server works on in the background."""
