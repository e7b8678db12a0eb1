"""Pictures as cities: `darkness` reads pictures, `stippling` places points in dark areas, `cities` makes instances."""
