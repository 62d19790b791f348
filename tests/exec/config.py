# SPDX-License-Identifier: BSD-3-Clause
"""`earl config` and the files it reads, from the outside."""

import os
import shutil
import unittest

from job import ACTOR, JobTest


class Config(JobTest):
    def setUp(self):
        super().setUp()
        self.home = os.path.join(self.folder, "home")
        self.project = os.path.join(self.folder, "project")
        os.makedirs(os.path.join(self.home, "earl"))
        os.makedirs(self.project)
        self.addCleanup(shutil.rmtree, self.home)
        self.addCleanup(shutil.rmtree, self.project)
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("EARL_")}
        name, value = self.token.split("=")
        self.environment |= {"XDG_CONFIG_HOME": self.home, name: value, "TMPDIR": self.folder}

    def write(self, folder, name, text, mode=0o644):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(path, mode)

    def user(self, text, mode=0o644):
        self.write(os.path.join(self.home, "earl"), "config", text, mode)

    def here(self, *words, **variables):
        return self.earl(*words, cwd=self.project, env={**self.environment, **variables})

    def settings(self, *words, **variables):
        """key -> (value, origin)"""
        ended = self.here("config", *words, **variables)
        self.expect(ended, 0)
        lines = ended.out.split("\n\n")[0].splitlines()
        return {line.split(" = ")[0]: (line.split(" = ", 1)[1], origin.strip())
                for line, origin in zip(lines[::2], lines[1::2])}

    def test_each_layer_goes_over_the_one_before(self):
        self.assertEqual(self.settings()["timeout"], ("none", "built in"))
        self.user("timeout = 1\nstdin = none\nverbose = yes\non = shm\n")
        self.write(self.project, ".earl", "\ntimeout = 2\nverbose = no\n")
        found = self.settings("--on", "shm", EARL_TIMEOUT="3")
        self.assertEqual(found["timeout"], ("3", "EARL_TIMEOUT"))
        self.assertEqual(found["stdin"], ("none", f"{self.home}/earl/config:2"))
        self.assertEqual(found["verbose"], ("no", ".earl:3"))
        self.assertEqual(found["on"], ("shm", "command line"))
        self.assertEqual(found["tag-output"], ("no", "built in"))

    def test_a_job_obeys(self):
        self.user("tag-output = yes\n")
        self.assertEqual(self.here("run", ACTOR, "who").out, "[rank 0 actor] 0 of 1\n")
        self.assertEqual(self.here("run", "--tag-output=no", ACTOR, "who").out, "0 of 1\n")
        self.assertEqual(self.here("run", ACTOR, "who", EARL_TAG_OUTPUT="no").out, "0 of 1\n")

    def test_files_that_will_not_do(self):
        self.user("timeout = 1\nbogus = 2\n")
        for command in (["config"], ["run", ACTOR]):
            ended = self.here(*command)
            self.expect(ended, 2, f"earl: {self.home}/earl/config:2: there is no key 'bogus'")
            self.assertEqual(ended.err.count("\n"), 1)
        self.user("tag-ouput = yes\n")
        self.expect(self.here("config"), 2, "did you mean tag-output?")
        self.user("timeout = never\n")
        self.expect(self.here("config"), 2, "config:1: timeout = never: a duration above 0")
        os.remove(os.path.join(self.home, "earl", "config"))
        os.mkdir(os.path.join(self.home, "earl", "config"))
        self.expect(self.here("config"), 2, "earl/config: this is a directory")

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_a_file_that_cannot_be_read(self):
        self.user("timeout = 1\n", 0)
        self.expect(self.here("config"), 2, "earl/config: cannot be read: Permission denied")

    def test_a_fifo_does_not_block(self):
        os.mkfifo(os.path.join(self.project, ".earl"), 0o600)
        self.assertEqual(self.settings()["timeout"][0], "none")

    def test_a_project_file_of_another_user_is_passed_over(self):
        self.write(self.project, ".earl", "tag-output = yes\n", 0o666)
        ended = self.here("run", ACTOR, "who")
        self.assertEqual((ended.code, ended.out), (0, "0 of 1\n"), ended)
        self.assertIn("earl: .earl can be written by others (chmod go-w .earl)", ended.err)
        self.assertIn("not read: .earl can be written by others", self.here("config").out)

    def test_one_file_instead_of_all(self):
        self.user("timeout = 1\n")
        self.write(self.project, "only", "stdin = none\n")
        found = self.settings(EARL_CONFIG="only")
        self.assertEqual((found["timeout"][0], found["stdin"][0]), ("none", "none"))
        self.expect(self.here("config", EARL_CONFIG="gone"), 2, "EARL_CONFIG=gone: there is no such")

    def test_a_bad_variable(self):
        self.expect(self.here("run", ACTOR, EARL_STDIN="x"), 2, "EARL_STDIN=x: the rank that reads")

    def test_too_many_words(self):
        self.expect(self.here("config", "timeout"), 2, "unexpected argument timeout")


if __name__ == "__main__":
    unittest.main(verbosity=2)
