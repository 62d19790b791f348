# SPDX-License-Identifier: BSD-3-Clause
"""An Earl that was built without front ends or back ends says so, in one sentence, where one of them is named."""

import os
import subprocess
import tempfile
import unittest

EARL = os.environ["EARL"]
FRONT_ENDS = os.environ["FRONT_ENDS"].split()
BACK_ENDS = os.environ["BACK_ENDS"].split()
WITH_LIBRARY = {"pvm3": "libpvm3.so.3", "mpi": "libmpich.so.12", "mpi_abi": "libmpi_abi.so.0", "pvm2": "libpvm.so",
                "bip": "libbip.so"}


def run(*words):
    ended = subprocess.run(words, text=True, capture_output=True, timeout=50, check=False, stdin=subprocess.DEVNULL)
    return ended.returncode, ended.stdout, ended.stderr


class LeftOut(unittest.TestCase):
    def one_sentence(self, text, option):
        self.assertEqual(text.count("\n"), 1, text)
        self.assertRegex(text, f"this Earl was built without the .*; configure it with {option} and build it again\n$")

    def test_earlcc(self):
        for name in FRONT_ENDS:
            with self.subTest(name):
                code, out, err = run(EARL + "cc", "-api", name, "-show", "a.c")
                self.assertEqual((code, out), (2, ""), err)
                self.one_sentence(err, f"-Dfrontends=.*,{name}")

    def test_programs(self):
        for name in sorted(WITH_LIBRARY.keys() & set(FRONT_ENDS)):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                library, program = os.path.join(folder, WITH_LIBRARY[name]), os.path.join(folder, "program")
                empty = ["cc", "-x", "c", "/dev/null", "-shared", f"-Wl,-soname,{WITH_LIBRARY[name]}", "-o", library]
                subprocess.run(empty, check=True, timeout=50)
                subprocess.run(["sh", "-c", f"echo 'int main(void) {{ return 0; }}' | cc -x c - -x none "
                                f"-Wl,--no-as-needed {library} -o {program}"], check=True, timeout=50)
                code, out, err = run(EARL, "run", program)
                self.assertEqual((code, out), (88, ""), err)
                self.one_sentence(err, f"-Dfrontends=.*,{name}")
                code, out, err = run(EARL, "info", program)
                self.assertEqual((code, err), (88, ""), out)
                self.one_sentence(out.split("\n")[0] + "\n", f"-Dfrontends=.*,{name}")

    def test_back_ends(self):
        for name in BACK_ENDS:
            with self.subTest(name):
                code, out, err = run(EARL, "run", "--on", name, "true")
                self.assertEqual((code, out), (2, ""), err)
                self.one_sentence(err, f"-Dbackends=.*,{name}")

    def test_hosts(self):
        if not {"tcp", "libfabric", "myrinet"} <= set(BACK_ENDS):
            self.skipTest("hosts can be joined")
        self.assertNotIn("\n                                  net ", run(EARL, "run", "-h")[1])
        for words in (("--on", "net"), ("--hosts", "localhost,elsewhere")):
            code, out, err = run(EARL, "run", *words, "true")
            self.assertEqual((code, out), (2, ""), err)
            self.one_sentence(err, "-Dbackends=.*,tcp")

    def test_the_doctor_is_content(self):
        code, out, err = run(EARL, "doctor")
        self.assertEqual((code, err), (0, ""), out)
        self.assertNotIn("WRONG ", out.replace("0 WRONG;", ""))


if __name__ == "__main__":
    unittest.main()
