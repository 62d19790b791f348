# SPDX-License-Identifier: BSD-3-Clause
"""Lines of test programs, which comments name."""


def line_in(source, comment):
    """The number of the line that bears the comment."""
    with open(source, encoding="ascii") as text:
        return next(n for n, words in enumerate(text, 1) if f"/* {comment} */" in words)
