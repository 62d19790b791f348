# SPDX-License-Identifier: BSD-3-Clause
"""bootstrap keeps a build folder until Meson has configured a new one, without catch2 builds no tests, and without
dpkg-architecture names the folder of libraries. Meson, ninja, g++ and Debian's commands are stubs here."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tree

# Configures a folder unless it is to have tests and catch2 is missing, or the file `refuses` is there.
MESON = """#!/bin/sh
echo "meson $*" >>calls
[ ! -e refuses ] || exit 1
case " $* " in *" -Dtests=true "*) [ -e catch2 ] || exit 1 ;; esac
mkdir -p build/meson-private build/meson-info
: >build/meson-private/coredata.dat
printf '"source": "%s"' "$PWD" >build/meson-info/meson-info.json
"""
NINJA = "#!/bin/sh\necho \"ninja $*\" >>calls\n: >build/built\n"
DPKG_QUERY = "#!/bin/sh\ncase $* in *catch2) [ -e catch2 ] || exit 1 ;; esac\nprintf installed\n"
GXX = "#!/bin/sh\necho x86_64-linux-gnu\n"
OTHERS = "awk bash cat dirname env grep id ls mkdir mv rm sed sh".split()


class Bootstrap(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(os.path.realpath(folder.name))
        shutil.copy(tree.ROOT / "bootstrap", self.top)
        (self.top / "bin").mkdir()
        for name, text in (("meson", MESON), ("ninja", NINJA), ("dpkg-query", DPKG_QUERY), ("g++", GXX)):
            (self.top / "bin" / name).write_text(text)
            (self.top / "bin" / name).chmod(0o755)
        for name in OTHERS:
            (self.top / "bin" / name).symlink_to(shutil.which(name))

    def bootstrap(self, *options):
        """(exit code, output, the calls of meson and ninja)"""
        (self.top / "calls").write_text("")
        done = subprocess.run([self.top / "bootstrap", "--no-install", *options], cwd=self.top, text=True, timeout=20,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              env={**os.environ, "PATH": str(self.top / "bin")})
        return done.returncode, done.stdout, (self.top / "calls").read_text()

    def test_a_minimal_build_stays_minimal(self):
        self.assertEqual(self.bootstrap("--minimal")[0], 0)
        code, _, calls = self.bootstrap("--minimal")
        self.assertEqual(code, 0)
        self.assertIn("--reconfigure", calls)
        self.assertNotIn("-Dtests", calls)

    def test_libraries_go_where_debian_looks(self):
        self.assertIn("--libdir=lib/x86_64-linux-gnu", self.bootstrap("--minimal")[2])
        shutil.rmtree(self.top / "build")
        (self.top / "bin" / "dpkg-architecture").symlink_to(self.top / "bin" / "g++")
        self.assertNotIn("--libdir", self.bootstrap("--minimal")[2])

    def test_without_catch2_there_are_no_tests(self):
        self.assertEqual(self.bootstrap("--minimal")[0], 0)
        code, output, calls = self.bootstrap()
        self.assertEqual((code, "catch2 is not installed" in output), (0, True), output)
        self.assertIn("meson setup --reconfigure build -Dtests=false", calls)
        (self.top / "catch2").touch()
        code, output, calls = self.bootstrap()
        self.assertEqual((code, "catch2" in output), (0, False), output)
        self.assertIn("-Dtests=true", calls)

    def test_a_build_survives_a_failed_configuration(self):
        self.assertEqual(self.bootstrap("--minimal")[0], 0)
        (self.top / "refuses").touch()
        code, output, _ = self.bootstrap("--minimal")
        self.assertEqual(code, 1, output)
        self.assertIn("could not configure", output)
        self.assertTrue((self.top / "build" / "built").is_file(), output)
        self.assertFalse((self.top / "build.old").exists(), output)

    def test_a_build_of_another_tree_is_made_anew(self):
        self.assertEqual(self.bootstrap("--minimal")[0], 0)
        (self.top / "build" / "stale").touch()
        (self.top / "build" / "meson-info" / "meson-info.json").write_text('"source": "/elsewhere"')
        code, output, _ = self.bootstrap("--minimal")
        self.assertEqual(code, 0, output)
        self.assertIn("making it anew", output)
        self.assertFalse((self.top / "build" / "stale").exists())
        self.assertFalse((self.top / "build.old").exists())

    def test_a_folder_that_is_no_build_is_left_alone(self):
        (self.top / "build").mkdir()
        (self.top / "build" / "mine").touch()
        code, output, _ = self.bootstrap("--minimal")
        self.assertEqual(code, 1, output)
        self.assertIn("no build folder of Meson", output)
        self.assertTrue((self.top / "build" / "mine").is_file())


if __name__ == "__main__":
    unittest.main()
