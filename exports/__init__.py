"""Files made of a tour or a run: pictures, animations, sheets for plotters, itineraries."""
