"""What a study shows, in words and for a terminal."""
