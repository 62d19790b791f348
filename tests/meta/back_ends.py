# SPDX-License-Identifier: BSD-3-Clause
"""The facts of back ends in backends' meson.build are those of the rows: usage: back_ends.py EARL NAME:FIELD:VALUE..."""
import json
import subprocess
import sys

import tree

DEFAULTS = {"spawns": True, "forks": False, "outlives_a_death": True, "packets_outlive_sender": False}


def main(earl, facts):
    seen = subprocess.run([earl, "info", "--backends", "--json"], capture_output=True, text=True, timeout=60, check=True)
    rows = {row["name"]: row for row in json.loads(seen.stdout)}
    complaints = [f"back_end_facts has {name}, which is no back end of this build" for name in facts.keys() - rows.keys()]
    for name, row in rows.items():
        said = DEFAULTS | facts.get(name, {})
        complaints += [f"{name}: {field} is {said.get(field)} in meson.build, and {row.get(field)} in its row"
                       for field in sorted(said) if said.get(field) != row.get(field)]
    tree.report(complaints, len(rows))


facts_given = {}
for fact in sys.argv[2:]:
    back_end, key, value = fact.split(":")
    facts_given.setdefault(back_end, {})[key] = json.loads(value)
main(sys.argv[1], facts_given)
