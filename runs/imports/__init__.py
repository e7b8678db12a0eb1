"""Untrusted files, read by child processes with limits."""
