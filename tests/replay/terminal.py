# SPDX-License-Identifier: BSD-3-Clause
"""A terminal of a test's own (pty), on which gdb speaks."""
import os
import re
import select
import time

LIMIT = 80 * int(os.environ.get("TESTS_SLOWER", "1"))  # seconds


def until_said(terminal, words):
    """What comes, up to these words; None: to the end."""
    said = b""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline and (words is None or not said.endswith(words)):
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            more = os.read(terminal, 4096)
        except OSError:
            break
        if not more:
            break
        said += more
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", said.decode(errors="replace"))
