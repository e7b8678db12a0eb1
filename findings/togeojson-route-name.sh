#!/usr/bin/env bash
# @tmcw/togeojson 7.1.3 (with @xmldom/xmldom 0.9.12): a GPX route without a name of its own gets
# that of its first point, and its comment and description too.
# Guess before the run: no name.
# Seen: a route from First to Second is called First.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" @tmcw/togeojson@7.1.3 @xmldom/xmldom@0.9.12
cat > "$folder/route.mjs" <<'JS'
import assert from "node:assert";
import { gpx } from "@tmcw/togeojson";
import { DOMParser } from "@xmldom/xmldom";

const text = `<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><rte>
<rtept lat="47" lon="8"><name>First</name><desc>At the lake</desc></rtept>
<rtept lat="48" lon="9"><name>Second</name></rtept>
</rte></gpx>`;
const [{ geometry, properties }] = gpx(new DOMParser().parseFromString(text, "text/xml")).features;
console.log(geometry.type, properties);
assert.equal(geometry.type, "LineString");
assert.equal(properties.name, "First");
assert.equal(properties.desc, "At the lake");
JS
node "$folder/route.mjs"
