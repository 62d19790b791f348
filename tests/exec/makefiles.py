# SPDX-License-Identifier: BSD-3-Clause
"""earlcc and earlfc as the compilers of a Makefile and of a configure script."""

import os
import pathlib
import re
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
CPP_PROGRAM = """\
#include <pvm3.h>
#include <cstdio>
#include <stdexcept>
#include <string>
int main() {
  try {
    if (pvm_mytid() > 0) throw std::runtime_error(std::string("nothing") + " is caught");
  } catch (std::exception const& error) {
    std::puts(error.what());
  }
  return pvm_exit();
}
"""
CRASHES = """\
      program crashes
      integer room(10)
      call spoil(room, 500000000)
      end
      subroutine spoil(room, n)
      integer room(*)
      room(n) = 1
      end
"""
CONFIGURE = """\
#!/bin/sh
# The compiler runs of a configure script.
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

    def test_a_crash_of_a_fortran_program_names_the_line(self):
        """libgfortran's handler of signals would hide it."""
        with Tree() as tree:
            (tree.path / "crashes.f").write_text(CRASHES, encoding="ascii")
            self.built(tree.run("earlfc", "-api", "nx", "crashes.f", "-o", "crashes"))
            ran = tree.run(EARL, "run", "-n", "2", "./crashes")
            self.assertEqual(ran.returncode, 128 + 11, ran.stderr)
            self.assertIn("in spoil_ at crashes.f:7, called by MAIN__ at crashes.f:3", ran.stderr)
            self.assertNotIn("Backtrace", ran.stderr)

    def test_the_wrong_front_end_is_doubted(self):
        with Tree() as tree:
            (tree.path / "task.c").write_text("#include <stdio.h>\n#include <pvm3.h>\n"
                                              "int main() { return pvm_mytid() < 0; }\n", encoding="ascii")
            doubt = ("earlcc: task.c includes pvm3.h, a header of PVM 3, and -api nx was given: say -api pvm3, or "
                     "leave it out\n")
            ran = tree.run("earlcc", "-api", "nx", "task.c", "-o", "task")
            self.assertNotEqual(ran.returncode, 0)
            self.assertTrue(ran.stderr.startswith(doubt), ran.stderr)
            for words in ((), ("-api", "pvm3")):
                ran = tree.run("earlcc", *words, "task.c", "-o", "task")
                self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            (tree.path / "own.c").write_text('#include "mpi.h"\nint main() { return 0; }\n', encoding="ascii")
            (tree.path / "mpi.h").write_text("", encoding="ascii")
            self.assertEqual(tree.run("earlcc", "-api", "nx", "own.c", "-o", "own").stderr, "")
            (tree.path / "both.c").write_text("#include <pvm3.h>\n#include <cube.h>\n", encoding="ascii")
            self.assertNotIn("-api", tree.run("earlcc", "-api", "nx", "-c", "both.c").stderr)

    def test_objects_of_cpp_are_linked_by_the_compilers_of_c_and_fortran(self):
        with Tree() as tree:
            (tree.path / "task.cc").write_text(CPP_PROGRAM, encoding="ascii")
            self.built(tree.run("earlcc", "-c", "task.cc"))
            self.built(tree.run("ar", "rc", "libtask.a", "task.o"))
            for wrapper, given in (("earlcc", "task.o"), ("earlcc", "libtask.a"), ("earlfc", "task.o")):
                self.built(tree.run(wrapper, given, "-o", "task"))
                self.assertEqual(tree.run("./task").stdout, "nothing is caught\n")
            self.assertNotIn("stdc++", tree.run("earlcc", "-show", "-api", "pvm3", "first.c").stdout)

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

    def test_no_compiler(self):
        with Tree() as tree:
            ran = tree.run("earlcc", "first.c", EARL_CC="no-such-cc")
            self.assertEqual((ran.returncode, ran.stderr),
                             (127, "earlcc: there is no compiler no-such-cc here; name another in EARL_CC\n"))
            ran = tree.run(f"{COMMANDS}/earlcc", "first.c", EARL_CC="gcc", PATH="/nowhere")
            self.assertEqual((ran.returncode, ran.stderr), (127, "earlcc: there is no compiler gcc here; "
                                                                 "apt-get install gcc, or name another in EARL_CC\n"))

    def test_own_variable_comes_first(self):
        with Tree() as tree:
            ran = tree.run("earlcc", "-show", "first.c", EARL_CC="gcc-of-mine -m64", CC="cc")
            self.assertTrue(ran.stdout.startswith("gcc-of-mine -m64 "), ran.stdout)
            ran = tree.run("earlcc", "-show", "first.c", CC="cc")
            self.assertTrue(ran.stdout.startswith("cc "), ran.stdout)

    def test_the_front_end_is_guessed(self):
        with Tree() as tree:
            (tree.path / "task.c").write_text('#include "pvm3.h"\nmain() { return pvm_mytid() < 0; }\n')
            (tree.path / "part.f").write_text("      call mpi_init(i)\n      end\n")
            for name, library in (("first.c", "-lnx "), ("task.c", "-lpvm3 "), ("second.f", "-lnx ")):
                ran = tree.run("earlcc" if name.endswith("c") else "earlfc", "-show", name)
                self.assertIn(library, ran.stdout)
            # A link of objects only, as in a Makefile.
            self.built(tree.run("earlcc", "-c", "task.c"))
            self.built(tree.run("earlcc", "-o", "task", "task.o"))
            self.built(tree.run("earl", "run", "-n", "1", "./task", EARL_CONFIG="/dev/null"))
            self.built(tree.run("earlfc", "-c", "part.f"))
            self.assertIn("-lmpichfort ", tree.run("earlfc", "-show", "part.o").stdout)
            self.assertIn("-lnx ", tree.run("earlfc", "-show", "nowhere.o").stdout)

    def test_the_binary_interface_of_mpi(self):
        with Tree() as tree:
            (tree.path / "size.c").write_text("#include <mpi.h>\n#include <stdio.h>\n"
                                              "int main() { int n; MPI_Init(0, 0); MPI_Comm_size(MPI_COMM_WORLD, &n);"
                                              " printf(\"of %d\\n\", n); return MPI_Finalize(); }\n")
            self.built(tree.run("earlcc", "-api", "mpi_abi", "-c", "size.c"))
            self.built(tree.run("earlcc", "-api", "mpi_abi", "size.o", "-o", "size"))
            self.assertIn("needs      libmpi_abi.so.0", tree.run("earl", "info", "./size").stdout)
            ran = tree.run("earl", "run", "-n", "2", "./size", EARL_CONFIG="/dev/null")
            self.assertEqual(ran.stdout, "of 2\nof 2\n")
            # Linked with the other library, which says so.
            self.built(tree.run("earlcc", "-api", "mpi", "size.o", "-o", "size"))
            ran = tree.run("earl", "run", "./size", EARL_CONFIG="/dev/null")
            self.assertEqual(ran.returncode, 5, ran.stderr)
            self.assertIn("comm is 0x101, a handle of libmpi_abi's (compile and link with one -api of earlcc)",
                          ran.stderr)


class CommandsOfOtherSystems(unittest.TestCase):
    """icc and if77 of the iPSC/860; mpicc, mpif77, mpiexec and mpirun: laid out as they are installed."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="earl-mpi-"))
        self.addCleanup(shutil.rmtree, self.folder)
        compat = self.folder / "libexec/earl/compat"
        compat.mkdir(parents=True)
        (self.folder / "bin").mkdir()
        for command in ("earl", "earlcc", "earlfc"):
            (self.folder / "bin" / command).symlink_to(os.path.join(COMMANDS, command))
        sources = pathlib.Path(__file__).parents[2] / "exec/compat"
        for name, script in (("icc", "compiler"), ("if77", "compiler"), ("mpicc", "compiler"), ("mpif77", "compiler"),
                             ("mpiexec", "launcher"), ("mpirun", "launcher")):
            shutil.copy(sources / f"{script}.sh", compat / name)
            (compat / name).chmod(0o755)
        self.compat = compat

    def run_command(self, name, *words):
        ran = subprocess.run([self.compat / name, *words], cwd=self.folder, capture_output=True, text=True,
                             timeout=LIMIT, check=False,
                             env={**os.environ, "EARL_CONFIG": "/dev/null", "TMPDIR": str(self.folder)})
        return ran.returncode, ran.stdout + ran.stderr

    def test_they_build_and_start_programs(self):
        (self.folder / "first.c").write_text(
            "#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char **argv) { int n;"
            " MPI_Init(&argc, &argv); MPI_Comm_size(MPI_COMM_WORLD, &n); printf(\"of %d\\n\", n);"
            " return MPI_Finalize(); }\n", encoding="ascii")
        (self.folder / "second.f").write_text(
            "      include 'mpif.h'\n      call mpi_init(i)\n      call mpi_comm_size(mpi_comm_world, n, i)\n"
            "      print '(a,i1)', 'of ', n\n      call mpi_finalize(i)\n      end\n", encoding="ascii")
        for compiler, source in (("mpicc", "first.c"), ("mpif77", "second.f")):
            for step in (("-c", source, "-o", "part.o"), ("part.o", "-o", "prog")):
                code, said = self.run_command(compiler, *step)
                self.assertEqual(code, 0, said)
            for launcher, option in (("mpiexec", "-n"), ("mpirun", "-np")):
                self.assertEqual(self.run_command(launcher, option, "2", "./prog"), (0, "of 2\nof 2\n"))

    def test_compilers_of_the_ipsc_860(self):
        (self.folder / "first.c").write_text(C_PROGRAM, encoding="ascii")
        (self.folder / "second.f").write_text(FORTRAN_PROGRAM, encoding="ascii")
        for compiler, option, source, printed in (("icc", "-vec", "first.c", "node 0 of 1\n"),
                                                  ("if77", "-Knoieee", "second.f", " nodes           1\n")):
            for step in (("-O", option, "-node", "-c", source, "-o", "part.o"),
                         ("-node", "-i860", "part.o", "-o", "prog", "-lvec")):
                code, said = self.run_command(compiler, *step)
                self.assertEqual(code, 0, said)
            ran = subprocess.run([self.folder / "prog"], capture_output=True, text=True, timeout=LIMIT, check=True)
            self.assertEqual(ran.stdout, printed)

    def test_questions_of_configure_scripts(self):
        for question in ("-show", "-link_info", "-link-info", "-showme", "-showme:link"):
            code, said = self.run_command("mpicc", question)
            self.assertEqual((code, said.count("\n")), (0, 1), said)
            self.assertIn("-lmpich", said)
        code, said = self.run_command("mpif77", "-link_info")
        self.assertLess(said.index("-lmpichfort"), said.index("-lmpich "), said)
        code, said = self.run_command("mpicc", "-compile_info")
        self.assertIn("-I", said)
        self.assertNotIn("-lmpich", said)
        self.assertEqual(self.run_command("mpicc", "-E", "-x", "c", "/dev/null")[0], 0)
        self.assertIn("Earl", self.run_command("mpiexec", "-version")[1])

    def test_a_compiler_s_version_is_asked_for_without_a_source(self):
        code, said = self.run_command("mpicc", "-v")
        self.assertEqual((code, "version" in said), (0, True), said)

    def test_options_of_other_launchers(self):
        (self.folder / "bin/earl").unlink()
        (self.folder / "bin/earl").write_text('#!/bin/sh\nfor word; do printf "[%s]" "$word"; done\n', encoding="ascii")
        (self.folder / "bin/earl").chmod(0o755)
        for words, then in (
                ("-machinefile hosts -n 2 ./a -n x", "run --hostfile hosts -n 2 ./a -n x"),
                ("-hosts a,b -genv A 1 -env B 2 -np 4 ./a", "run --hosts a,b -x A=1 -x B=2 -np 4 ./a"),
                ("-genvlist A,B -genvnone -l ./a -l", "run -x A -x B --env none --tag-output ./a -l"),
                ("-genvall --on tcp -wdir /tmp ./a : -n 2 -wd d ./b", "run --on tcp --wdir /tmp ./a : -n 2 --wdir d ./b"),
                ("--timeout=9 -v -x A=1 ./a", "run --timeout=9 -v -x A=1 ./a")):
            code, said = self.run_command("mpiexec", *words.split())
            self.assertEqual((code, said), (0, "".join(f"[{word}]" for word in then.split())))
        self.assertEqual(self.run_command("mpirun", "-n", "1", "./a", "two words", "")[1],
                         "[run][-n][1][./a][two words][]")
        code, said = self.run_command("mpiexec", "-ppn", "2", "./a")
        self.assertEqual((code, said), (2, "mpiexec: -ppn 2: Earl takes the processes of each host from --hosts, as in "
                                           "a:2,b:2, or from a --hostfile\n"))
        self.assertEqual(self.run_command("mpiexec", "-env", "A"), (2, "mpiexec: -env: its value is missing\n"))

    def test_the_launcher_knows_the_options_that_have_values(self):
        options = self.run_command("mpiexec", "-h")[1]
        self.assertIn("\n  --on NAME", options)
        for names in re.findall(r"^  (-\S+) \S", options, re.M):
            for name in names.split(","):
                code, said = self.run_command("mpiexec", name)
                self.assertEqual((code, said), (2, f"mpiexec: {name}: its value is missing\n"))

    def test_static_programs_are_refused(self):
        code, said = self.run_command("mpicc", "-static", "first.c")
        self.assertEqual(code, 2)
        self.assertIn("earlcc: -static: Earl's libraries are shared ones only", said)


if __name__ == "__main__":
    unittest.main()
