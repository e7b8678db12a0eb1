"""Throughput of 2-opt."""
