"""Runs: started in a process of their own, written to a file of their own, shown to everybody who looks."""
