#!/usr/bin/env bash
# numba-cuda 0.30.4 (NVIDIA H200, driver 580.159.04): a process that only asks whether there is a
# GPU, by cuda.is_available(), leaves none to the processes that it forks. No array was allocated,
# no context made; the question alone starts the driver, which does not survive a fork.
# Guess before the run: the child can use the GPU.
# Seen: CudaDriverError, "CUDA initialized before forking"; without the question the child has it.
# Needs a GPU; FINDINGS_PYTHON names a Python with numba-cuda where nothing can be installed.
set -euo pipefail
if ! nvidia-smi > /dev/null 2>&1; then
  echo "needs a GPU"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${FINDINGS_PYTHON:-$folder/venv/bin/python}
if [ -z "${FINDINGS_PYTHON:-}" ]; then
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install -q --disable-pip-version-check numba==0.68.1 numpy==2.4.6 "numba-cuda[cu13]==0.30.4"
fi
cat > "$folder/fork.py" <<'PY'
import os
import sys
import warnings

import numpy as np
from numba import cuda

warnings.simplefilter("ignore")  # of threads and forks
if sys.argv[1] == "ask":
    assert cuda.is_available()
if os.fork():
    os.wait()
else:
    try:
        print(cuda.to_device(np.arange(3)).copy_to_host().sum())
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
    sys.stdout.flush()
    os._exit(0)
PY
asked=$("$python" "$folder/fork.py" ask)
unasked=$("$python" "$folder/fork.py" nothing)
echo "$asked; $unasked"
[[ "$asked" == "CudaDriverError: CUDA initialized before forking"* ]] || exit 1
[ "$unasked" = 3 ] || exit 1
