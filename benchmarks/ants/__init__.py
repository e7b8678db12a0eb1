"""Throughput and quality of ant algorithms."""
