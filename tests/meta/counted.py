# SPDX-License-Identifier: BSD-3-Clause
"""`tests/summary.py` counts what passed, what failed, and what did not run because time was up."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SUMMARY = pathlib.Path(__file__).resolve().parent.parent / "summary.py"


class Counted(unittest.TestCase):
    def count(self, status, **results):
        """The exit code and the last lines of a summary of one run: a name and a result for each test."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            lines = [json.dumps({"name": f"earl:unit / {test}", "result": result, "duration": 1.0})
                     for test, result in results.items() if result]
            if lines:
                (folder / "gcc.json").write_text("\n".join(lines), encoding="utf-8")
            (folder / "gcc.status").write_text(f"{status}\n", encoding="utf-8")
            if results:
                (folder / "gcc.planned").write_text("".join(f"earl:unit / {test}\n" for test in results), encoding="utf-8")
            ended = subprocess.run([sys.executable, SUMMARY, folder], capture_output=True, text=True, timeout=60,
                                   check=False)
        self.assertEqual(ended.stderr, "")
        return ended.returncode, ended.stdout.splitlines()

    def test_passed(self):
        code, lines = self.count(0, one="OK", two="EXPECTEDFAIL", three="SKIP")
        self.assertEqual((code, lines[-1]), (0, "2 passed, 0 failed, 1 skipped"))

    def test_failed(self):
        for bad in "FAIL", "TIMEOUT", "ERROR", "INTERRUPT":
            code, lines = self.count(1, one="OK", two=bad)
            self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed"), bad)
            self.assertIn(f"FAILED gcc: earl:unit / two ({bad})", lines)

    def test_no_result(self):
        code, lines = self.count(2)
        self.assertEqual((code, lines[-1]), (1, "0 passed, 1 failed"))

    def test_an_end_by_a_signal_is_no_lack_of_time(self):
        for status in 124, 137:
            code, lines = self.count(status, one="OK")
            self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed"), status)

    def test_time_was_up(self):
        code, lines = self.count("time was up", one="OK", two="INTERRUPT", three=None)
        self.assertEqual((code, lines[-2:]), (0, ["time was up before 2 of gcc: earl:unit",
                                                  "1 passed, 0 failed, 2 not run"]))

    def test_a_failure_counts_although_time_was_up(self):
        code, lines = self.count("time was up", one="OK", two="FAIL", three=None)
        self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed, 1 not run"))

    def test_time_was_up_before_it_was_built(self):
        code, lines = self.count("time was up")
        self.assertEqual((code, lines[-2:]), (1, ["time was up before 1 of gcc: all, for it was not built",
                                                  "0 passed, 0 failed, 1 not run"]))

    def test_time_was_up_before_the_first(self):
        code, lines = self.count("time was up", one=None)
        self.assertEqual((code, lines[-1]), (1, "0 passed, 0 failed, 1 not run"))


if __name__ == "__main__":
    unittest.main()
