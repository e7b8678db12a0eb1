"""The page: one file a panel, its layout and its callbacks together. What moves is drawn by `assets/*.js`."""
