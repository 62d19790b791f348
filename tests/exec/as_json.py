# SPDX-License-Identifier: BSD-3-Clause
"""What `--json` prints agrees with what the command prints for people."""

import collections
import json
import os
import shutil
import unittest

from job import ACTOR, JobTest


class AsJson(JobTest):
    def ask(self, *words, **options):
        """The command's lines, and its JSON; both end alike."""
        lines = self.earl(*words, **options)
        data = self.earl(*words, "--json", **options)
        self.assertEqual(lines.code, data.code)
        self.assertEqual(data.err, lines.err)
        return lines.out.splitlines(), json.loads(data.out)

    def test_version(self):
        (first, *parts), data = self.ask("version")
        self.assertEqual(first, f"earl {data['version']}")
        named = [(kind, part["name"]) for kind, key in (("back end", "back_ends"), ("front end", "front_ends"),
                                                         ("debugger", "debuggers")) for part in data[key]]
        self.assertEqual([(line[:9].strip(), line[9:].split()[0]) for line in parts],
                         [(kind, name) for kind, name in named])

    def test_back_ends(self):
        lines, data = self.ask("info", "--backends")
        heads = [line for line in lines if not line.startswith(" ")]
        self.assertEqual(heads, [f"{row['name']}: {row['summary']}" for row in data])
        for head, row in zip(heads, data):
            facts = lines[lines.index(head) + 1:]
            facts = facts[:next((at for at, line in enumerate(facts) if not line.startswith(" ")), len(facts))]
            shown = collections.defaultdict(list)
            for line in facts:
                shown[line[:13].strip()].append(line[13:].strip())
            self.assertEqual("  runs here" in facts, row["can_run"], facts)
            self.assertEqual(shown["not here"], [row["why_not"]] if row["why_not"] else [])
            self.assertEqual("; ".join(shown["cannot"]), "; ".join(row["cannot"]))
            abilities = [row[key] for key in ("spawns", "forks", "outlives_a_death", "packets_outlive_sender")]
            self.assertEqual(abilities.count(False), len(row["cannot"]))
            self.assertEqual([line.split(": ")[0] for line in shown["library"]],
                             [library["title"] for library in row["libraries"]])
        self.assertEqual([row["name"] for row in data if not row["listed"]], ["null"])
        self.assertEqual([row["name"] for row in data if row["listed"]],
                         [row["name"] for row in json.loads(self.earl("version", "--json").out)["back_ends"]])

    def test_doctor(self):
        lines, data = self.ask("doctor")
        lines = lines[:lines.index("")]  # a summary follows
        shown = [line for line in lines if not line.startswith(" ")]
        self.assertEqual(len(shown), len(data))
        words = {"good": "ok", "limited": "limit", "broken": "WRONG"}
        for line, finding in zip(shown, data):
            self.assertEqual(line.split()[0], words[finding["health"]])
            self.assertIn(finding["what"], line)
        advice = [finding["advice"] for finding in data if finding["advice"]]
        self.assertEqual([line.split("-> ", 1)[1] for line in lines if line.startswith(" ")], advice)

    def test_config(self):
        lines, data = self.ask("config", "--timeout", "7")
        self.assertEqual(data["settings"]["timeout"], {"value": "7", "origin": "command line"})
        for key, value in data["settings"].items():
            self.assertEqual(lines[lines.index(f"{key} = {value['value']}") + 1].strip(), value["origin"])
        for file in data["files"]:
            self.assertTrue(any(line.strip().startswith(file["path"] + ": ") for line in lines), file)

    def test_recordings(self):
        here = os.path.join(self.folder, "here")
        os.makedirs(here)
        self.addCleanup(shutil.rmtree, here)
        self.assertEqual(self.ask("ls", cwd=here)[1], [])
        self.expect(self.earl("record", ACTOR, "exit", "3", cwd=here), 3)
        lines, data = self.ask("ls", cwd=here)
        self.assertEqual(len(data), 1)
        self.assertIn(data[0]["directory"], lines[0])
        self.assertRegex(lines[0], rf"{data[0]['verdict']} +{data[0]['back_end']} +{' '.join(data[0]['command'])}$")
        self.assertEqual((data[0]["verdict"], data[0]["exit_code"], data[0]["fault"]), ("exit 3", 3, ""))
        self.assertGreater(data[0]["bytes"], 0)

    def page(self):
        with open(os.path.join(os.environ["EARL_PAGES"], "earl-show.1"), encoding="ascii") as file:
            return file.read()

    def recorded(self, code, *words):
        folder = os.path.join(self.folder, "r.earl")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.expect(self.earl("record", "--force", "-o", folder, *words), code)
        return folder

    def test_summary_of_a_recording(self):
        folder = self.recorded(7, "--max-processes", "9", "-n", 3, ACTOR, "gsync", "only", 0, "exit", 7)
        lines, data = self.ask("show", folder)
        self.assertEqual(lines[0], f"{data['directory']}: {data['processes']} processes recorded on {data['back_end']} by Earl "
                                   f"{data['version']}")
        self.assertEqual(lines[1:4], [f"  command: {' '.join(data['command'])}", f"  settings: {' '.join(data['settings'])}",
                                      f"  exit code: {data['exit_code']}"])
        self.assertEqual((data["exit_code"], data["settings"], data["spawned"], data["deadlock"]), (7, ["max-processes=9"], 0, ""))
        self.assertEqual([rank["rank"] for rank in data["ranks"]], [0, 1, 2])
        for rank in data["ranks"]:
            (line,) = (line for line in lines if line.startswith(f"  rank {rank['rank']}: "))
            self.assertIn(f": {rank['calls']} call", line)
            self.assertIn(f", {rank['wildcard_receives']} wildcard receive", line)
            self.assertTrue(line.endswith(", " + rank["ending"]), line)
        self.assertIn(f"  EXEC: {data['exec']['requests']} requests, {data['exec']['input_bytes']} bytes of standard input, "
                      f"{data['exec']['ending']}", lines)
        page = self.page()
        for member in {*data, *data["ranks"][0]} - {"rank"}:
            self.assertRegex(page, rf"\b{member}\b")
        self.assertTrue(data["complete"])
        self.assertEqual([rank["rank"] for rank in self.ask("show", "--rank", 1, folder)[1]["ranks"]], [1])
        os.remove(os.path.join(folder, "r00002.ert"))
        lines, data = self.ask("show", folder)
        self.assertFalse(data["complete"])
        self.assertIn(f"  rank 2: {data['ranks'][2]['fault']}", lines)

    def test_outcomes_and_deadlock_of_a_recording(self):
        folder = self.recorded(86, "-n", 2, ACTOR, "crowd", 3, "wait")
        lines, data = self.ask("show", "--outcomes", folder)
        outcomes = [line[len("    rank 0 "):] for line in lines if line.startswith("    rank 0 ")]
        self.assertEqual(data["ranks"][0]["outcomes"], outcomes)
        self.assertGreaterEqual(len(outcomes), 3)
        self.assertIn(data["deadlock"], "\n".join(lines))
        self.assertIn("deadlock", data["deadlock"])

    def test_messages_of_a_recording(self):
        folder = self.recorded(0, "-n", 2, ACTOR, "crowd", 3)
        self.assertEqual(self.earl("show", "--messages", "--json", folder).out[0], "[")


if __name__ == "__main__":
    unittest.main()
