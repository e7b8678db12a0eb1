"""Instances that are at hand: bundled, in the user's folder, uploaded; and references to them."""
