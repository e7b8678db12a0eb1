"""Pictures as cities: `darkness` reads pictures, `stippling` places points, `cities` makes instances."""
