"""The Race page: two to four runs of one instance side by side."""
