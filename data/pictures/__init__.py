"""Pictures as cities: `darkness` reads a picture, `stippling` puts points where it is dark, `cities` joins them."""
