"""Tuning: the parameters of an algorithm, found by trials, as a kind of study. See docs/tuning.md.

`trials` are the trials and their gaps, `tuner` makes them, one batch after the other, `advice` is its end of the
process `advisor`, which alone imports Optuna; `packages` says whether that is installed. `best_preset` is what they
have found, as a preset. What varies is a part of the study's spec, `studies.spec.tune`.
"""
