"""Files made from a tour or a run: pictures, animations, sheets for plotters, itineraries."""
