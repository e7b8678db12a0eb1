"""Places in files of maps and devices: GPX and KML (`xml_places`), GeoJSON and Google Takeout (`json_places`).

`places` makes an instance on the globe from them.
"""
