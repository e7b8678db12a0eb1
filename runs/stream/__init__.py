"""From a worker's frames to the browsers that watch."""
