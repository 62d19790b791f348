"""earlcc and earlfc as the compilers of a Makefile and of a configure script."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from job import EARL, LIMIT

COMMANDS = os.path.dirname(EARL)
MAKEFILE = """\
CFLAGS = -O -node -i860 -vec -Mvect -Knoieee
FFLAGS = -O -vx
LDLIBS = -lvec -node
all: first second
first: first.o
second: second.o
\t$(FC) $(FFLAGS) -o $@ second.o $(LDLIBS)
"""
C_PROGRAM = """\
#include <cube.h>
main() { printf("node %ld of %ld\\n", mynode(), numnodes()); return 0; }
"""
FORTRAN_PROGRAM = """\
      program second
      include 'fcube.h'
      print *, 'nodes', numnodes()
      end
"""
CONFIGURE = """\
#!/bin/sh
# What a configure script does with its compiler.
: ${CC=cc}
echo 'int main() { return 0; }' >conftest.c
$CC -o conftest conftest.c || { echo "C compiler cannot create executables"; exit 77; }
./conftest || { echo "cannot run C compiled programs"; exit 1; }
echo 'int main() { return mynode(); }' >conftest.c
$CC -o conftest conftest.c || { echo "no mynode"; exit 1; }
echo "CC = $CC" >config.mk
echo configured
"""


class Tree:
    """A directory with a program in C, one in Fortran, a Makefile and a configure script."""

    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="earl-make-"))
        for name, text in (("Makefile", MAKEFILE), ("first.c", C_PROGRAM), ("second.f", FORTRAN_PROGRAM),
                           ("configure", CONFIGURE)):
            (self.path / name).write_text(text, encoding="ascii")
        (self.path / "configure").chmod(0o755)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def run(self, *words, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("CC", "FC", "EARL_CC", "EARL_FC", "MAKEFLAGS")}
        environment |= {"PATH": f"{self.path}/bin:{COMMANDS}:{environment['PATH']}",
                        "CCACHE_DIR": f"{self.path}/cache"} | variables
        return subprocess.run(words, cwd=self.path, env=environment, capture_output=True, text=True,
                              timeout=LIMIT, check=False, stdin=subprocess.DEVNULL)


class Makefiles(unittest.TestCase):
    def built(self, ran):
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_make(self):
        with Tree() as tree:
            self.built(tree.run("make", "CC=earlcc", "FC=earlfc"))
            ran = tree.run(EARL, "run", "-n", "2", "./first")
            self.assertEqual(sorted(ran.stdout.splitlines()), ["node 0 of 2", "node 1 of 2"], ran.stderr)
            ran = tree.run(EARL, "run", "-n", "3", "./second")
            self.assertEqual(ran.stdout.split(), ["nodes", "3"] * 3, ran.stderr)

    def test_environment(self):
        for variables in ({"CC": "earlcc", "FC": "earlfc"},
                          {"CC": f"{COMMANDS}/earlcc", "FC": f"{COMMANDS}/earlfc"},
                          {"CC": "earlcc", "FC": "earlfc", "EARL_CC": "gcc", "EARL_FC": "gfortran"}):
            with self.subTest(variables), Tree() as tree:
                self.built(tree.run("make", "-e", **variables))
                self.assertTrue((tree.path / "first").exists())

    def test_configure(self):
        with Tree() as tree:
            ran = tree.run("./configure", CC="earlcc")
            self.built(ran)
            self.assertEqual(ran.stdout, "configured\n")

    @unittest.skipUnless(shutil.which("ccache"), "there is no ccache here")
    def test_ccache(self):
        with Tree() as tree:
            self.built(tree.run("make", "first", "CC=ccache earlcc"))
            self.built(tree.run("earlcc", "first.c", CC="ccache earlcc"))

    def test_script_that_runs_the_wrapper(self):
        with Tree() as tree:
            (tree.path / "bin").mkdir()
            script = tree.path / "bin" / "mycc"
            script.write_text('#!/bin/sh\nexec earlcc "$@"\n', encoding="ascii")
            script.chmod(0o755)
            self.built(tree.run("make", "first", "CC=mycc"))

    def test_symbolic_link_to_the_wrapper(self):
        with Tree() as tree:
            (tree.path / "bin").mkdir()
            (tree.path / "bin" / "oldcc").symlink_to(f"{COMMANDS}/earlcc")
            self.built(tree.run("earlcc", "first.c", CC="oldcc"))

    def test_own_variable_that_names_the_wrapper(self):
        with Tree() as tree:
            ran = tree.run("earlcc", "first.c", EARL_CC="earlcc")
            self.assertEqual(ran.returncode, 2)
            self.assertEqual(ran.stderr, "earlcc: EARL_CC=earlcc: this is the wrapper itself; name the "
                                         "compiler that it shall run\n")

    def test_own_variable_comes_first(self):
        with Tree() as tree:
            ran = tree.run("earlcc", "-show", "first.c", EARL_CC="gcc-of-mine -m64", CC="cc")
            self.assertTrue(ran.stdout.startswith("gcc-of-mine -m64 "), ran.stdout)
            ran = tree.run("earlcc", "-show", "first.c", CC="cc")
            self.assertTrue(ran.stdout.startswith("cc "), ran.stdout)


if __name__ == "__main__":
    unittest.main()
