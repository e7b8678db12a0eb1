"""The library of what was run: found, named, tagged, deleted and restored."""
