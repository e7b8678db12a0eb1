"""MAX-MIN Ant System (Stützle and Hoos, 2000)."""
