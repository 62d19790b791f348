# SPDX-License-Identifier: BSD-3-Clause
"""Running `earl` in tests: bounded in time, ended by its own pid, nothing left behind."""

import ctypes
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest


def environment(name):
    value = os.environ.get(name)
    if not value:
        raise SystemExit(f"{name} is not set: run this by `meson test`")
    return value


EARL = environment("EARL")
ACTOR = environment("ACTOR")
SYS_PIDFD_GETFD = 438
LIMIT = 60 * int(os.environ.get("TESTS_SLOWER", "1"))  # seconds for one run, or one wait


class Ended:
    """The outcome of a run."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return f"exit code {self.code}\n--- out\n{self.out}\n--- err\n{self.err}"


def in_shared_memory():
    """What jobs have left there. Not the folders of jobs on native libraries and of searches: those of a test are in its
    TMPDIR, these are of others that run beside it."""
    return {name for name in os.listdir("/dev/shm")
            if "earl" in name.lower() and not name.startswith(("earl-place", "earl-explore"))}


def marked(token):
    """Processes, other than this one, with `token` among their arguments or environment."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if token.encode() in file.read():
                    found.append(int(name))
        except OSError:
            pass
    return found


def name_of(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def fields_of(pid):
    """The contents of /proc for it, from its state on. Raises OSError when it has gone."""
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rsplit(")", 1)[1].split()


def state_of(pid):
    """R, S, T... Raises OSError when it has gone."""
    return fields_of(pid)[0]


def has_unread(pid):
    """Whether EXEC has asked it something that it has not read."""
    libc = ctypes.CDLL(None, use_errno=True)
    handle = os.pidfd_open(pid)
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            if not os.readlink(f"/proc/{pid}/fd/{name}").startswith("socket:"):
                continue
            number = libc.syscall(SYS_PIDFD_GETFD, handle, int(name), 0)
            if number < 0:
                raise unittest.SkipTest(f"no descriptors are lent here: {os.strerror(ctypes.get_errno())}")
            with socket.socket(fileno=number) as line:
                if select.select([line], [], [], 0)[0]:
                    return True
        return False
    finally:
        os.close(handle)


def sleeping(length):
    """The processes that sleep so long; they may have no environment and so no mark."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if file.read() == f"sleep\0{length}\0".encode():
                    found.append(int(name))
        except OSError:
            pass  # it has ended meanwhile
    return found


def nodes_of(token, job):
    """The processes of a job without EXEC and its watchdog."""
    return [pid for pid in marked(token) if pid != job.pid and name_of(pid) != "earl-watchdog"]


def wait_until(condition, what, limit=LIMIT):
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {limit} s: {what}")
        time.sleep(0.005)


def default_signals():
    """A shell's background job ignores SIGINT, and EXEC respects that."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM, signal.SIGTSTP):
        signal.signal(number, signal.SIG_DFL)


class JobTest(unittest.TestCase):
    limit = LIMIT  # seconds for one run to end, and then for its remains to go

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="earl-test-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.token = f"TEST_MARK={os.path.basename(self.folder)}"
        self.addCleanup(self.check_nothing_left)

    def check_nothing_left(self):
        wait_until(lambda: not marked(self.token), f"no process is left of {marked(self.token)}",
                   self.limit)
        self.assertEqual(os.listdir(self.folder), [])

    def named(self, name):
        """The test's processes that are called so."""
        return sorted(pid for pid in marked(self.token) if name_of(pid) == name)

    def kill(self, name):
        """One that is called so, at once; gives its number."""
        victim = self.named(name)[0]
        os.kill(victim, signal.SIGKILL)
        return victim

    def for_each(self, libraries, check):
        """Nothing may be left before the next."""
        for library in libraries:
            with self.subTest(library):
                check(library)
                wait_until(lambda: not marked(self.token), "nothing of the job is left")

    def start(self, *words, to_its_end=False, **options):
        """A job that the test acts on, so that processes that wait for ever are no deadlock; or that just runs."""
        if not to_its_end:
            options["env"] = {**options.get("env", self.job_environment()), "EARL_DEADLOCK": "off"}
        return self.start_command(EARL, *words, **options)

    def job_environment(self):
        name, value = self.token.split("=")
        return {**os.environ, name: value, "TMPDIR": self.folder, "EARL_CONFIG": "/dev/null"}

    def start_command(self, *words, **options):
        settings = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "preexec_fn": default_signals,
            "env": self.job_environment(),
        }
        settings.update(options)
        process = subprocess.Popen([*map(str, words)], **settings)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()
        process.wait()

    def finish(self, process, text=None):
        out, err = process.communicate(text, timeout=self.limit)
        return Ended(process.returncode, out.decode(), err.decode())

    def earl(self, *words, **options):
        text = options.pop("input", None)
        if text is not None:
            options["stdin"] = subprocess.PIPE
        return self.finish(self.start(*words, to_its_end=True, **options), text)

    def expect(self, ended, code, *sentences):
        self.assertEqual(ended.code, code, ended)
        for sentence in sentences:
            self.assertIn(sentence, ended.err, ended)
