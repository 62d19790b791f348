# SPDX-License-Identifier: BSD-3-Clause
"""A Python test that gets SIGTERM removes its temporary directories, and nothing runs after it."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest

LIMIT = 60 * int(os.environ.get("TESTS_SLOWER", "1"))

PLAIN = """
import tempfile, time
with tempfile.TemporaryDirectory():
    print("there", flush=True)
    time.sleep(1000)
"""

CASES = """
import shutil, tempfile, time, unittest
class Test(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
    def test_one(self):
        for n in range(2):
            with self.subTest(n):
                print("there", flush=True)
                time.sleep(1000)
    def test_two(self):
        print("there", flush=True)
        time.sleep(1000)
unittest.main()
"""


class EndsChildren(unittest.TestCase):
    def check(self, program, number):
        with tempfile.TemporaryDirectory() as folder:
            child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True,
                                     env={**os.environ, "TMPDIR": folder})
            try:
                self.assertEqual(child.stdout.readline(), "there\n")
                self.assertEqual(len(os.listdir(folder)), 1)
                child.send_signal(number)
                out, err = child.communicate(timeout=LIMIT)
            finally:
                child.kill()
                child.wait()
                child.stdout.close()
                child.stderr.close()
            self.assertNotEqual(child.returncode, 0, err)
            self.assertEqual(out, "", "nothing else begins")
            self.assertEqual(os.listdir(folder), [], err)

    def test_a_script(self):
        self.check(PLAIN, signal.SIGTERM)
        self.check(PLAIN, signal.SIGINT)

    def test_test_cases(self):
        self.check(CASES, signal.SIGTERM)
        self.check(CASES, signal.SIGINT)

    def test_every_script_comes_by_it(self):
        self.assertEqual(signal.getsignal(signal.SIGTERM).__module__, "sitecustomize")


if __name__ == "__main__":
    unittest.main(verbosity=2)
