# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs that end, by themselves or when their time is up."""
import os
import signal
import subprocess


class Failed(Exception):
    """A program's failure."""


def run(command, seconds, environment=None):
    """The program's output. Throws Failed when it ends badly or not at all."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, start_new_session=True,
                             env={**os.environ, **(environment or {})})
    try:
        out, err = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        end(child)
        raise Failed(f"{command[0]} was not done after {seconds} s") from None
    if child.returncode:
        last = (err.strip().splitlines() or ["no word why"])[-1]
        raise Failed(f"{command[0]} ended with {child.returncode}: {last}")
    return out


def end(child):
    """A launcher is asked first, so that it can end its processes."""
    child.terminate()
    try:
        child.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
