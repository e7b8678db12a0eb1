"""What every page shares: document, header, controls, text."""
