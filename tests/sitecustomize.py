# SPDX-License-Identifier: BSD-3-Clause
"""Python tests that get SIGTERM (Meson's time limit) or Ctrl-C end as by an exception:
their temporary directories are removed, and their processes are ended. Python itself imports this."""

import signal
import sys


def end(number, _frame):
    if unittest := sys.modules.get("unittest"):
        # It takes any exception for the failure of one test, and would go on with the next.
        unittest.TestCase.run = lambda self, result=None: result
        unittest.TestCase.subTest = end_once_more
    raise SystemExit(128 + number)


def end_once_more(*_what, **_parameters):
    raise SystemExit(128 + signal.SIGTERM)


for number in (signal.SIGTERM, signal.SIGINT):
    if signal.getsignal(number) != signal.SIG_IGN:  # as in a shell's background job
        signal.signal(number, end)
