Route #1: 4 2 1 3 5
Cost 34
