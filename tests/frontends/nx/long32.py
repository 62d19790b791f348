#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that count on a `long` of 4 bytes, made by `earlcc -long32` at once and in two steps.

usage: long32.py FOLDER-OF-COMMANDS SOURCE...
"""
import os
import pathlib
import subprocess
import sys
import tempfile

NODES = 3


def run(*command, folder):
    environment = {name: value for name, value in os.environ.items() if name != "CC"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False,
                          env=environment)
    said = f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    assert done.returncode == 0, said
    return done.stdout


def main():
    commands = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for source in map(pathlib.Path, sys.argv[2:]):
            before = source.read_text(encoding="utf-8")
            run(commands / "earlcc", "-long32", "-o", "at-once", source, folder=folder)
            run(commands / "earlcc", "-long32", "-g", "-O2", "-c", source, folder=folder)
            run(commands / "earlcc", "-o", "in-two", source.with_suffix(".o").name, folder=folder)
            for program in ("./at-once", "./in-two"):
                out = run(commands / "earl", "run", "-n", str(NODES), program, folder=folder)
                assert out.splitlines().count("EARL-OK") == NODES, out
            assert source.read_text(encoding="utf-8") == before
        # A line of the source is named as ever, and a file that is preprocessed already is not changed.
        pathlib.Path(folder, "wrong.c").write_text("long x;\n\nlong f() { return y; }\n", encoding="utf-8")
        done = subprocess.run([commands / "earlcc", "-long32", "-c", "wrong.c"], cwd=folder, capture_output=True,
                              text=True, timeout=60, check=False)
        assert done.returncode != 0 and "wrong.c:3:" in done.stderr, done.stderr
        text = "long x;\n_Static_assert(sizeof x == 4, \"\");\n"
        pathlib.Path(folder, "done.i").write_text(text, encoding="utf-8")
        run(commands / "earlcc", "-long32", "-c", "done.i", folder=folder)
        assert pathlib.Path(folder, "done.i").read_text(encoding="utf-8") == text
    return 0


if __name__ == "__main__":
    sys.exit(main())
