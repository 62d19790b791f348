# SPDX-License-Identifier: BSD-3-Clause
"""The hook for commit messages takes good subjects and refuses others with the reason."""
import subprocess
import tempfile
import unittest

import tree

HOOK = tree.ROOT / "tests" / "hooks" / "commit-msg"


def refusal(message):
    """The hook's complaint; empty: it accepts it."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(message)
        file.flush()
        done = subprocess.run([HOOK, file.name], capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode != 0) == bool(done.stderr), done
    return done.stderr


class CommitMessage(unittest.TestCase):
    def test_good_ones(self):
        for message in ("generic: match posted receives by source first\n", "frontends/nx: name ids\n\nWhy.\n",
                        "Merge branch 'next'\n", "# a comment\ntests: drop a sleep\n"):
            self.assertEqual(refusal(message), "", message)

    def test_a_long_subject(self):
        self.assertIn("longer than 72", refusal("generic: " + "x" * 64 + "\n"))
        self.assertEqual(refusal("generic: " + "x" * 63 + "\n"), "")

    def test_a_subject_without_a_folder(self):
        self.assertIn("folder", refusal("Match posted receives by source first\n"))

    def test_several_folders(self):
        self.assertIn("one folder", refusal("frontends/nx, exec: name ids\n"))
        self.assertIn("one folder", refusal("docs tests: name ids\n"))

    def test_upper_case(self):
        self.assertIn("lower case", refusal("README: name ids\n"))
        self.assertIn("lower case", refusal("docs: Name ids\n"))

    def test_a_body_without_an_empty_line(self):
        self.assertIn("second line", refusal("generic: match by source\nBecause.\n"))


if __name__ == "__main__":
    unittest.main()
