"""Tuning: studies that search for an algorithm's parameters by trials. See docs/tuning.md.

`trials` defines the trials and their gaps; `tuner` runs them, one batch after another; `advice` is the parent's end of
the process `advisor`, the only one that imports Optuna; `packages` checks whether Optuna is installed. `best_preset`
turns the result into a preset. The settings are part of the study's spec, `studies.spec.tune`.
"""
