# SPDX-License-Identifier: BSD-3-Clause
"""The EXAMPLES of the manual pages, and the commands of docs/clusters.md, run as a reader would paste them from the
page."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from job import EARL, LIMIT, marked, wait_until

PAGES = pathlib.Path(os.environ["EARL_PAGES"])
EARLCC = os.path.join(os.path.dirname(EARL), "earlcc")
PROGRAMS = {
    "node": ("-node", "#include <cube.h>\nmain() { gsync(); printf(\"node %ld\\n\", mynode()); return 0; }\n"),
    "reads": ("-node", "#include <stdio.h>\n#include <cube.h>\nmain() { while (getchar() != EOF) ; return 0; }\n"),
    "host": ("-host", "#include <cube.h>\nmain() { printf(\"host of %ld\\n\", numnodes()); return 0; }\n"),
}
# Open MPI's refuses root, and more processes than CPUs.
MPIEXEC = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
# Commands that reach other computers: here they run their words on this one.
REACHING = {
    "ssh": 'while :; do case $1 in -p | -o) shift 2 ;; -*) shift ;; *) break ;; esac; done; shift; exec sh -c "$*"',
    "salloc": """while :; do case $1 in -N) hosts=$2; shift 2 ;; -n) ranks=$2; shift 2 ;; *) break ;; esac; done
hosts=${hosts:-1}
export SLURM_JOB_ID=1 SLURM_JOB_NODELIST="n[1-$hosts]" SLURM_TASKS_PER_NODE="$((${ranks:-1} / hosts))(x$hosts)"
export EARL_LAUNCHER=ssh
exec "$@"
""",
}
TOPOLOGY = "switch left 8\nhost a left:0\nhost b left:1\n"
MAKEFILE = "all: made\nmade: node.c\n\t$(CC) -node -o $@ node.c\n"
CONFIGURE = '#!/bin/sh\nexec $CC -node node.c -o configured\n'
# Tools that examples use, and a command that shows whether they work here: a kernel may refuse perf.
TOOLS = (("valgrind", "valgrind", "--version"), ("gdb", "gdb", "--version"), ("perf", "perf", "record", "-q", "-o", "/dev/null", "true"))
PASTED_LINE_BY_LINE = {"earl-run.1"}
PASTED_AS_A_WHOLE = {"earl-compat.1", "earl-ls.1", "earl-myrinet.1", "earl-ps.1", "earl-view.1", "earlcc.1"}


def can_run(*words):
    return bool(shutil.which(words[0])) and subprocess.run(words, capture_output=True, timeout=60, check=False,
                                                            stdin=subprocess.DEVNULL).returncode == 0


def examples(page):
    """The lines of a page's EXAMPLES that are commands: on the page they stand further in."""
    shown = subprocess.run(["man", "-P", "cat", "-l", page], capture_output=True, text=True, check=True, timeout=60,
                           stdin=subprocess.DEVNULL, env={**os.environ, "MANWIDTH": "200", "LC_ALL": "C"})
    section = re.search(r"^EXAMPLES\n(.*?)(?=^\S)", shown.stdout, re.MULTILINE | re.DOTALL)
    lines = section.group(1).splitlines() if section else []
    return [line.strip() for line in lines if re.match(r" {8,}\S", line)]


class Place:
    """A directory with the programs and files that the examples name."""

    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="earl-examples-"))
        self.mark = f"EARL_TEST_EXAMPLES={os.getpid()}-{self.path.name}"
        commands = self.path / "bin"
        commands.mkdir()
        (self.path / "data").mkdir()
        for name, (side, text) in PROGRAMS.items():
            (self.path / f"{name}.c").write_text(text, encoding="ascii")
            subprocess.run([EARLCC, side, f"{name}.c", "-o", name], cwd=self.path, check=True, timeout=LIMIT)
        (self.path / "Makefile").write_text(MAKEFILE, encoding="ascii")
        (self.path / "configure").write_text(CONFIGURE, encoding="ascii")
        (self.path / "configure").chmod(0o755)
        for name in ("master", "slave"):
            (self.path / name).symlink_to("node")
        (self.path / "token").symlink_to(os.environ["TOKEN"])
        (self.path / "hosts").write_text("a:8\nb:8\n", encoding="ascii")
        (self.path / "lab.net").write_text(TOPOLOGY, encoding="ascii")
        for name, body in REACHING.items():
            self.command(name, body)
        for name in ("getcube", "load", "waitcube", "relcube"):
            self.command(name, f'exec {EARL} compat {name} "$@"')
        for path in (EARL, EARLCC, *os.environ["MYRINET_COMMANDS"].split(":")):
            (commands / pathlib.Path(path).name).symlink_to(path)
        return self

    def command(self, name, body):
        file = self.path / "bin" / name
        file.write_text(f"#!/bin/sh\n{body}\n", encoding="ascii")
        file.chmod(0o755)

    def __exit__(self, *_):
        wait_until(lambda: not marked(self.mark), "the end of what the examples have started")
        shutil.rmtree(self.path)

    def run(self, text):
        name, _, value = self.mark.partition("=")
        environment = {**os.environ, **MPIEXEC, name: value, "PATH": f"{self.path}/bin:{os.environ['PATH']}", "HOME": str(self.path),
                       "EARL_CONFIG": "/dev/null", "EARL_CUBE": f"ex{os.getpid()}", "EARL_TIMEOUT": str(LIMIT)}
        # An example's background processes end with its shell.
        script = f"trap 'code=$?; jobs=$(jobs -p); [ -z \"$jobs\" ] || kill $jobs; wait; exit $code' EXIT\nset -e\n{text}\n"
        return subprocess.run(["bash", "-c", script], cwd=self.path, env=environment, capture_output=True, text=True,
                              timeout=2 * LIMIT, check=False, stdin=subprocess.DEVNULL)


@unittest.skipUnless(shutil.which("man"), "there is no man here")
class Examples(unittest.TestCase):
    def paste(self, page, lines, before="", made=()):
        with Place() as place:
            ran = place.run("\n".join([before, *lines]))
            self.assertEqual(ran.returncode, 0, f"{page}: {lines}\n{ran.stdout}\n{ran.stderr}")
            for name in made:
                self.assertTrue((place.path / name).exists(), name)
            return ran.stdout

    def test_every_page_with_examples_is_pasted(self):
        having = {page.name for page in PAGES.glob("*.1") if examples(page)}
        self.assertEqual(having, PASTED_LINE_BY_LINE | PASTED_AS_A_WHOLE)

    def test_earl_run(self):
        lines = examples(PAGES / "earl-run.1")
        self.assertGreaterEqual(len(lines), 7)
        for line in lines:
            if any(tool in line and not can_run(*probe) for tool, *probe in TOOLS):
                continue
            with self.subTest(line):
                self.assertIn("node 0", self.paste("earl-run", [line]))

    def test_cubes(self):
        said = self.paste("earl-compat", examples(PAGES / "earl-compat.1"))
        self.assertIn("host of 4", said)
        self.assertIn("node 3", said)

    def test_myrinet(self):
        lines = examples(PAGES / "earl-myrinet.1")
        said = self.paste("earl-myrinet", lines)
        self.assertIn("token", said)

    def test_compilers(self):
        lines = examples(PAGES / "earlcc.1")
        self.assertEqual(len(lines), 2)
        self.paste("earlcc", lines, made=("made", "configured"))

    def test_recordings_and_jobs(self):
        recorded = "earl record -o bug.earl -n 2 ./node"
        self.assertIn("bug.earl", self.paste("earl-ls", examples(PAGES / "earl-ls.1"), recorded))
        two = f"{recorded}; cp -r bug.earl good.earl; cp -r bug.earl bad.earl"
        self.paste("earl-view", examples(PAGES / "earl-view.1"), two, made=("race.svg",))
        # The job begins to run before its node has come to the end of standard input.
        running = "mkfifo never; earl run -n 1 ./reads <never & exec 9>never; until earl ps | grep -q reads; do sleep 0.1; done"
        self.assertIn("./reads", self.paste("earl-ps", examples(PAGES / "earl-ps.1"), running))


class Clusters(unittest.TestCase):
    """Every indented line of docs/clusters.md, with hosts that are this one."""
    BATCH = re.compile(r"^    (#!/bin/sh\n(?:    .*\n)+)", re.MULTILINE)

    def setUp(self):
        self.page = (PAGES.parent.parent / "docs" / "clusters.md").read_text(encoding="utf-8")

    def ranks_of(self, command):
        with Place() as place:
            ran = place.run(command)
            self.assertEqual(ran.returncode, 0, f"{command}\n{ran.stdout}\n{ran.stderr}")
            return sorted(int(number) for number in re.findall(r"^node (\d+)$", ran.stdout, re.MULTILINE))

    def test_the_page_s_commands(self):
        lines = re.findall(r"^    (\S.*)$", self.BATCH.sub("", self.page), re.MULTILINE)
        self.assertEqual(len(lines), 6)
        for line in lines:
            if line.startswith("srun"):  # launchers.py has a Slurm
                continue
            # Fewer of them than on a cluster.
            line = line.replace(":32", ":2").replace("-n 64", "-n 8")
            if "--on mpi" in line or "mpiexec" in line:
                if not shutil.which("mpiexec") or "ASAN_OPTIONS" in os.environ:
                    continue
            ranks = 4 if ":2," in line else 8
            with self.subTest(line):
                self.assertEqual(self.ranks_of(line), list(range(ranks)))

    def test_the_batch_script(self):
        (script,) = self.BATCH.findall(self.page)
        script = re.sub("^    ", "", script, flags=re.MULTILINE)
        wanted = dict(re.findall(r"^#SBATCH --(\w+)=(\d+)$", script, re.MULTILINE))
        self.assertEqual(self.ranks_of(f"cat >job <<'END'\n{script}END\nsalloc -N {wanted['nodes']} -n 8 sh job"), list(range(8)))
        self.assertEqual(wanted["ntasks"], "64")


if __name__ == "__main__":
    unittest.main()
