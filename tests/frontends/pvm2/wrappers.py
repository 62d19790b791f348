#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that `earlcc -pvm2` and `earlfc -pvm2` have made run, with and without `earl run`.

usage: wrappers.py FOLDER-OF-COMMANDS C-SOURCE FORTRAN-SOURCE
"""
import pathlib
import subprocess
import sys
import tempfile


def run(*command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=40,
                          check=False)
    return done.returncode, done.stdout, done.stdout + done.stderr


def main():
    commands, sources = pathlib.Path(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        for wrapper, source in zip(("earlcc", "earlfc"), sources):
            # Its processes start others by this name.
            program = pathlib.Path(source).name.replace(".", "_")
            status, _, said = run(commands / wrapper, "-pvm2", "-o", program, source, folder=folder)
            assert status == 0, said
            for command in ([commands / "earl", "run", "./" + program], ["./" + program]):
                status, out, said = run(*command, folder=folder)
                assert status == 0 and out.endswith("EARL-OK\n"), f"{command}: {status}\n{said}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
