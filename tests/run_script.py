# SPDX-License-Identifier: BSD-3-Clause
"""Runs a Python test as its main module, after the common set-up: `run_script.py SCRIPT [arguments]`.
So no site packages are looked for (-S), which takes longer than many tests do."""
import os
import sys

import sitecustomize  # noqa: F401

sys.argv.pop(0)
__file__ = sys.argv[0]
sys.path[0] = os.path.dirname(os.path.abspath(__file__))
with open(__file__, "rb") as script:
    code = compile(script.read(), __file__, "exec")
__doc__ = None
exec(code, globals())
