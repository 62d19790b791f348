# SPDX-License-Identifier: BSD-3-Clause
"""`earl info` and `earl doctor`, from the outside."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from job import ACTOR, EARL, JobTest, environment

SPAWNER = environment("SPAWNER")
# Programs that use what some back ends lack; each has an end of its own.
WISHES = {
    "plain": ("nx", "#include <nx.h>\nint main(void) { gsync(); return 0; }\n"),
    "loads": ("nx", "#include <nx.h>\nint main(void) { getcube(\"c\", \"2\", \"\", 0L); setpid(0L);"
                    " load(\"./plain\", -1L, 0L); waitall(-1L, -1L); return 0; }\n"),
    "forks": ("nx", "#include <nx.h>\nint main(int argc, char **argv) { long forked;"
                    " nx_initve((char *)0, 2L, \"\", &argc, argv); forked = nx_nfork((long *)0, -1L, 0L, (long *)0);"
                    " if (forked == 0) gsync(); else nx_waitall(); return forked < 0; }\n"),
    "spawns": ("pvm3", "#include <pvm3.h>\nint main(int argc, char **argv) { int task;"
                       " if (pvm_parent() != PvmNoParent) return 0;"
                       " return pvm_spawn(argv[0], 0, 0, \"\", 1, &task) != 1; }\n"),
}
FOREIGN = {"i386": (1, 3, "32-bit Intel 386"), "aarch64": (2, 183, "64-bit ARM"),
           "i860": (1, 7, "32-bit Intel i860")}


class Info(JobTest):
    def info(self, path, code=0):
        ended = self.earl("info", path)
        self.assertEqual((ended.code, ended.err), (code, ""), ended)
        return ended.out

    def file(self, name, content, mode=0o755):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, mode)
        self.addCleanup(os.remove, path)
        return path

    def as_json(self, path):
        ended = self.earl("info", "--json", path)
        return json.loads(ended.out)

    def test_a_program_for_nx(self):
        said = self.info(ACTOR)
        self.assertIn(f"{ACTOR}: a program for Intel NX (nx)\n", said)
        self.assertRegex(said, r"\n  runs on    (\w+ )*shm( \w+)*\n")
        self.assertIn("libnx.so", said)
        facts = self.as_json(ACTOR)
        self.assertEqual(facts["api"], "nx")
        for call in ("csend", "crecv", "gsync", "mynode", "numnodes"):
            self.assertIn(call, facts["calls"])
        self.assertNotIn("printf", facts["calls"])
        self.assertIn({"name": "shm", "can_run": True, "failing_calls": [], "why_not": ""}, facts["back_ends"])

    def test_a_program_for_pvm(self):
        facts = self.as_json(SPAWNER)
        self.assertEqual(facts["api"], "pvm3")
        self.assertIn("pvm_spawn", facts["calls"])
        self.assertNotIn("pvm_spawn", facts["not_yet"])

    def test_calls_that_are_not_there_yet(self):
        """A library that says of its own routines whether they are there: asked, not listed here."""
        library = self.as_json(SPAWNER)["libraries"][0]
        stub = subprocess.run(["nm", "-D", library], capture_output=True, text=True, timeout=60,
                              check=True).stdout
        self.assertIn(" pvm_reg_hoster", stub)
        source = self.file("hoster.c", b"int pvm_reg_hoster(); int pvm_mytid();\n"
                                       b"int main() { return pvm_mytid() + pvm_reg_hoster(); }\n", 0o644)
        program = os.path.join(self.folder, "hoster")
        subprocess.run(["cc", "-w", source, "-o", program, library, "-Wl,--allow-shlib-undefined"], timeout=60, check=True)
        self.addCleanup(os.remove, program)
        facts = self.as_json(program)
        self.assertEqual(facts["calls"], ["pvm_mytid", "pvm_reg_hoster"])
        self.assertEqual(facts["not_yet"], ["pvm_reg_hoster"])
        self.assertIn("  not yet    pvm_reg_hoster\n", self.info(program))

    def test_programs_that_are_not_earl_s(self):
        cat = os.path.realpath(shutil.which("cat"))
        self.assertIn("linked with no front end of Earl (libnx.so, ", self.info(cat, 88))
        self.assertIn("libc.so.6", self.info(cat, 88))
        self.assertIn("neither an ELF program nor a script", self.info(self.file("text", b"hello"), 88))
        self.assertIn("neither", self.info(self.file("nothing", b""), 88))
        script = self.file("script", b"#! /bin/sh -e\nexit\n")
        self.assertIn("a script for /bin/sh -e: what it starts decides", self.info(script))

    def test_files_that_are_not_linked(self):
        source = self.file("unlinked.c", b"int one(void) { return 1; }\n", 0o644)
        compiled, archive = os.path.join(self.folder, "one.o"), os.path.join(self.folder, "libone.a")
        subprocess.run(["cc", "-c", source, "-o", compiled], timeout=60, check=True)
        subprocess.run(["ar", "rc", archive, compiled], timeout=60, check=True)
        for path, words in ((compiled, "a compiled file that is not linked, without calls"),
                            (archive, "a static library (ar archive) without calls")):
            self.addCleanup(os.remove, path)
            os.chmod(path, 0o755)
            self.assertIn(words, self.info(path, 88))
            self.expect(self.earl("run", path), 126, "is not linked: link it with `earlcc`")

    def test_a_directory_of_sources_and_objects(self):
        tree = tempfile.mkdtemp(dir=self.folder)
        self.addCleanup(shutil.rmtree, tree)
        path = lambda name: os.path.join(tree, name)
        with open(path("node.c"), "w", encoding="ascii") as source:
            source.write("#include <nx.h>\nint main() { return mynode() + pvm_nothing(); }\n")
        with open(path("README"), "w", encoding="ascii") as text:
            text.write("#include <nx.h>\n")
        self.assertEqual(self.info(tree), f"{path('node.c')}: a source file for Intel NX (nx)\n"
                         f"{tree}: 1 sources; compile them with `earlcc` to see which calls they make\n")
        with open(path("task.c"), "w", encoding="ascii") as source:
            source.write("int main() { return pvm_mytid() + pvm_reg_hoster(); }\n")
        subprocess.run(["cc", "-w", "-c", path("task.c"), "-o", path("task.o")], timeout=60, check=True)
        subprocess.run(["ar", "rc", path("libtask.a"), path("task.o")], timeout=60, check=True)
        for name, words in (("task.o", "a compiled file that is not linked, for PVM 3 (pvm3)"),
                            ("libtask.a", "a static library for PVM 3 (pvm3)")):
            said = self.info(path(name))
            self.assertIn(f"{path(name)}: {words}\n  calls      pvm_mytid pvm_reg_hoster\n"
                          "  not yet    pvm_reg_hoster\n", said)
        self.assertIn(f"{tree}: not there yet: pvm_reg_hoster\n", self.info(tree))
        self.assertEqual([one["api"] for one in self.as_json(tree)],
                         ["pvm3", "nx", "pvm3"])
        self.assertIn("no source, object or program", self.info(tempfile.mkdtemp(dir=tree), 88))

    def test_programs_of_other_mpi_libraries(self):
        source = self.file("mpi.c", b"int main() { return 0; }\n", 0o644)
        for library, words in (("libmpi.so.40", "Open MPI (libmpi.so.40)"),):
            stub, program = os.path.join(self.folder, "libstub.so"), os.path.join(self.folder, "mpi")
            subprocess.run(["cc", "-shared", "-Wl,-soname," + library, "-o", stub, "-x", "c", "/dev/null"],
                           timeout=60, check=True)
            subprocess.run(["cc", "-w", source, "-o", program, "-Wl,--no-as-needed", stub], timeout=60, check=True)
            self.assertIn(f"a program for {words}", self.info(program, 88))
            self.expect(self.earl("run", program), 88, f"is a program for {words}")
            os.remove(stub)
            os.remove(program)

    def test_back_ends_that_cannot(self):
        """`earl info`, `earl doctor` and `earl run` agree about a back end."""
        doctor = self.earl("doctor").out
        facts = {row["name"]: row for row in json.loads(self.earl("info", "--backends", "--json").out)}
        for verdict in self.as_json(SPAWNER)["back_ends"]:
            with self.subTest(verdict["name"]):
                usable = re.search(rf"^ok +back end {verdict['name']} ", doctor, re.MULTILINE) is not None
                self.assertEqual(verdict["can_run"], usable, doctor)
                self.assertEqual(facts[verdict["name"]]["why_not"], verdict["why_not"])
                if not usable:
                    self.expect(self.earl("run", "--on", verdict["name"], SPAWNER), 1, verdict["why_not"])
                else:
                    spawns = facts[verdict["name"]]["spawns"]
                    self.assertEqual(verdict["failing_calls"], [] if spawns else ["pvm_spawn"])

    def test_a_run_fails_where_info_lists_a_call_that_fails(self):
        place = tempfile.mkdtemp(dir=self.folder)
        self.addCleanup(shutil.rmtree, place)
        earlcc = os.path.join(os.path.dirname(EARL), "earlcc")
        for name, (api, text) in WISHES.items():
            with open(os.path.join(place, name + ".c"), "w", encoding="ascii") as source:
                source.write(text)
            built = self.finish(self.start_command(earlcc, "-api", api, name + ".c", "-o", name, cwd=place))
            self.expect(built, 0)
        fails = set()
        for name in WISHES:
            path = os.path.join(place, name)
            start = ("-n", 2) if name == "plain" else ()
            for verdict in self.as_json(path)["back_ends"]:
                if not verdict["can_run"]:
                    continue
                with self.subTest(name, back_end=verdict["name"]):
                    ended = self.finish(self.start("run", "--on", verdict["name"], *start, path, cwd=place))
                    self.assertEqual(ended.code != 0, verdict["failing_calls"] != [], ended)
                    fails.update(verdict["failing_calls"])
        self.assertEqual(fails, {"load", "nx_nfork", "pvm_spawn"})

    def test_programs_for_other_machines(self):
        for name, (size, back_end, words) in FOREIGN.items():
            head = b"\x7fELF" + bytes([size, 1, 1]) + b"\0" * 9 + b"\2\0" + \
                back_end.to_bytes(2, "little") + b"\0" * 60
            path = self.file(name, head)
            self.assertIn(f"a {words} program; this host runs 64-bit", self.info(path, 88))
            self.expect(self.earl("run", path), 126, f"is a {words} program")
        sparc = b"\x7fELF" + bytes([1, 2, 1]) + b"\0" * 9 + b"\0\2\0\2" + b"\0" * 60
        self.assertIn("a 32-bit SPARC program", self.info(self.file("sparc", sparc), 88))

    def test_a_statically_linked_program(self):
        source = self.file("static.c", b"int main() { return 0; }\n", 0o644)
        program = os.path.join(self.folder, "static")
        made = subprocess.run(["cc", "-static", "-no-pie", source, "-o", program], timeout=60,
                              check=False, capture_output=True)
        if made.returncode != 0:
            self.skipTest("no static C library here")
        self.addCleanup(os.remove, program)
        self.assertIn("statically linked", self.info(program, 88))

    def test_damaged_programs(self):
        with open(ACTOR, "rb") as file:
            whole = file.read()
        for size in range(5, 3000, 371):
            self.assertIn(self.earl("info", self.file(f"cut{size}", whole[:size])).code, (0, 88))

    def test_missing_files(self):
        self.expect(self.earl("info", "./nope"), 127, "earl: there is no program ./nope")
        self.expect(self.earl("info"), 2, "PROGRAM is missing")
        self.expect(self.earl("info", "a", "b"), 2, "unexpected argument b")
        self.expect(self.earl("info", "--backends", "a"), 2, "unexpected argument a: --backends is about no program")


class Doctor(JobTest):
    def test_every_line_is_judged(self):
        ended = self.earl("doctor")
        self.expect(ended, 0)
        lines, summary = ended.out.rsplit("\n\n", 1)
        heads = [line for line in lines.splitlines() if not line.startswith(" ")]
        for line in heads:
            self.assertRegex(line, r"^(ok|limit) +\S")
        for what in ("front end nx", "back end shm", "earlcc", "processors", "process_vm_readv",
                     "shared memory", "open files", "processes", "memory", "settings", "launcher ssh",
                     "launcher mpiexec", "launcher mpirun", "launcher srun", "batch system", "several hosts"):
            self.assertTrue(any(what in line for line in heads), f"{what}:\n{ended}")
        good = [line for line in heads if line.startswith("ok ")]
        back_ends = sum("back end " in line[:18] for line in heads), sum("back end " in line[:18] for line in good)
        self.assertEqual(summary, f"{len(heads)} lines: {len(good)} ok, {len(heads) - len(good)} limit, 0 WRONG; "
                                  f"{back_ends[1]} of {back_ends[0]} back ends are usable\n")

    def test_a_missing_compiler_names_its_package(self):
        name, value = self.token.split("=")
        ended = self.earl("doctor", env={**os.environ, name: value, "FC": "no-such-fortran",
                                         "EARL_CONFIG": "/dev/null"})
        self.expect(ended, 0)
        self.assertRegex(ended.out, r"limit  earlfc +there is no compiler no-such-fortran\n"
                                    r" +-> apt-get install gfortran")

    def test_each_mpi_is_listed(self):
        ended = self.earl("doctor")
        for title, module in (("MPICH", "earl-mpich.so"), ("Open MPI", "earl-openmpi.so")):
            self.assertRegex(ended.out, rf"(?m)^(ok|limit) +{title} +for back end mpi: .*{module}")

    def test_transports_between_hosts_are_listed(self):
        for setting in ({"EARL_NET_LINK": "libfabric"}, {"EARL_MYRINET_LINK": "ofi"}):
            self.assertRegex(self.doctor(**setting).out, r"(?m)^ok +several hosts +can be joined by libfabric "
                             rf"\({next(iter(setting))} asks for it\), tcp$")
        self.assertRegex(self.doctor(EARL_NET_LINK="tcp").out,
                         r"(?m)^ok +several hosts +can be joined by libfabric if it is named \(--on libfabric\), tcp$")

    def test_libfabric_is_listed(self):
        self.assertRegex(self.doctor().out, r"(?m)^(ok|limit) +libfabric +for back end libfabric: ")
        with open(os.path.join(self.folder, "libfabric.so.1"), "w", encoding="utf-8") as file:
            file.write("no library\n")
        ended = self.doctor(LD_LIBRARY_PATH=self.folder)
        os.remove(os.path.join(self.folder, "libfabric.so.1"))
        self.assertRegex(ended.out, r"(?m)^limit +libfabric .*missing: ")
        self.assertIn("apt-get install libfabric", ended.out)

    def doctor(self, **variables):
        name, value = self.token.split("=")
        return self.earl("doctor", env={**os.environ, name: value, "EARL_CONFIG": "/dev/null", **variables})

    def test_a_batch_job_is_listed(self):
        name, value = self.token.split("=")
        for nodes, code, words in (("n[1-3]", 0, "a job of Slurm with 3 hosts and 7 processes"),
                                   ("n[", 1, "SLURM_JOB_NODELIST=n[ names no hosts")):
            ended = self.earl("doctor", env={**os.environ, name: value, "EARL_CONFIG": "/dev/null",
                                             "SLURM_JOB_NODELIST": nodes, "SLURM_TASKS_PER_NODE": "3,2(x2)"})
            self.expect(ended, code)
            self.assertRegex(ended.out, rf"batch system +{re.escape(words)}")

    def test_bad_settings_are_wrong(self):
        name, value = self.token.split("=")
        ended = self.earl("doctor", env={**os.environ, name: value, "EARL_TIMEOUT": "x",
                                         "EARL_CONFIG": "/dev/null"})
        self.expect(ended, 1)
        self.assertIn("WRONG  settings           EARL_TIMEOUT=x", ended.out)

    def test_a_misspelt_variable_is_reported(self):
        name, value = self.token.split("=")
        misspelt = {**os.environ, name: value, "EARL_TIMOUT": "7", "EARL_CONFIG": "/dev/null"}
        sentence = "EARL_TIMOUT is no setting of Earl; did you mean EARL_TIMEOUT?"
        ended = self.earl("doctor", env=misspelt)
        self.expect(ended, 0)
        self.assertRegex(ended.out, rf"limit  settings +{re.escape(sentence)}")
        ended = self.earl("run", "-n", 1, ACTOR, "who", env=misspelt)
        self.expect(ended, 0, f"earl: {sentence}")


class Guesses(JobTest):
    def test_misspelt_words(self):
        self.expect(self.earl("rnu"), 2, "there is no command `earl rnu`; did you mean run?")
        self.expect(self.earl("-n", 2), 2, "-n: options follow the command, as in `earl run -n`")
        self.expect(self.earl("--json", "ls"), 2, "--json: options follow the command, as in `earl ls --json`")
        self.expect(self.earl(ACTOR), 2, f"there is no command `earl {ACTOR}`; `earl run {ACTOR}` runs that program")
        self.expect(self.earl("run", "--on", "FIBERS", "x"), 2, "did you mean fibers?")
        self.expect(self.earl("run", "--time-out=3", ACTOR), 2, "did you mean --timeout?")
        self.expect(self.earl("replay", "--onn", "x"), 2, "did you mean --on?")
        self.expect(self.earl("run", "--on", "smh", ACTOR), 2, "did you mean shm?")
        self.expect(self.earl("run", "--tool", "recrod", ACTOR), 2, "did you mean record?")
        self.expect(self.earl("compat", "getcub"), 2, "earl compat needs one of these: getcube, load, ",
                    "; did you mean getcube?")

    def test_a_misspelt_option_of_any_command_is_named(self):
        """Where a good option follows, too."""
        tried = 0
        for command in re.findall(r"^  earl (\w+)", self.earl("-h").out, re.MULTILINE):
            names = set(re.findall(r"(--[a-z-]+)", self.earl(command, "-h").out))
            for name in sorted(names):
                misspelt = name[:-2] + name[-1] + name[-2]
                if misspelt in names:
                    continue
                with self.subTest(command, option=misspelt):
                    self.expect(self.earl(command, misspelt, name), 2, f"there is no option {misspelt}")
                    tried += 1
        self.assertGreater(tried, 100)

    def test_every_command_explains_itself(self):
        for command in ("run", "record", "replay", "show", "info", "doctor", "config", "version"):
            for word in ("-h", "--help"):
                ended = self.earl(command, word)
                self.assertEqual((ended.code, ended.err), (0, ""), ended)
                self.assertIn("Usage" if command != "version" else "earl", ended.out)


class Compiler(JobTest):
    def compiled(self, body):
        """The program's file."""
        source = os.path.join(self.folder, "program.c")
        program = os.path.join(self.folder, "program")
        with open(source, "w", encoding="ascii") as file:
            file.write(f"#include <pvm3.h>\nint main(void) {{ return {body}; }}\n")
        earlcc = os.path.join(os.path.dirname(EARL), "earlcc")
        ended = self.finish(self.start_command(earlcc, "-api", "pvm3", source, "-o", program))
        self.expect(ended, 0)
        with open(program, "rb") as file:
            content = file.read()
        os.remove(program)
        os.remove(source)
        return content

    def test_a_program_with_groups_names_no_library(self):
        self.assertIn(b"libgpvm3.so.3", self.compiled('pvm_joingroup("g")'))
        self.assertNotIn(b"libgpvm3.so.3", self.compiled("pvm_mytid()"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
