#!/usr/bin/env python3
"""`earl export`, of a run of which all is known.

usage: export.py EARL RACING
"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

EARL, RACING = sys.argv[1:3]


def run(*words):
    return subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=100, check=False)


class Export(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.recording = os.path.join(self.folder.name, "r.earl")
        ended = run("record", "-o", self.recording, "-n", "3", RACING, "pair")
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_csv_has_a_line_for_each_send_and_receive(self):
        ended = run("export", "--to", "csv", "-o", "-", self.recording)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        rows = list(csv.DictReader(io.StringIO(ended.stdout)))
        self.assertEqual(list(rows[0]), ["rank", "event", "time", "operation", "call", "peer",
                                         "message", "tag", "bytes"])
        sends = {(row["rank"], row["peer"], row["message"]): row for row in rows
                 if row["operation"] == "send"}
        taken = {(row["peer"], row["rank"], row["message"]): row for row in rows
                 if row["operation"] == "receive"}
        self.assertEqual(len(sends), 2)
        self.assertEqual(set(sends), set(taken))
        for message, row in taken.items():
            self.assertLess(float(sends[message]["time"]), float(row["time"]))
            self.assertEqual(row["call"].split(":")[0], "crecv at racing.c")

    def test_trace_events_are_those_of_the_format(self):
        ended = run("export", "--to", "perfetto", self.recording)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        with open(ended.stdout.strip(), encoding="ascii") as text:
            self.check_trace(json.load(text))

    def test_times_are_those_of_a_run_that_wrote_events(self):
        folder = os.path.join(self.folder.name, "timed")
        ended = run("run", "--tool", f"events={folder}", "-n", "3", RACING, "pair")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        trace = json.loads(run("export", "--to", "perfetto", "-o", "-", folder).stdout)
        self.assertEqual(trace["otherData"]["time"], "microseconds")
        self.check_trace(trace)

    def test_a_paje_trace_is_read_by_its_own_tool(self):
        for timed in (False, True):
            folder = self.recording
            if timed:
                folder = os.path.join(self.folder.name, "timed")
                ended = run("run", "--tool", f"events={folder}", "-n", "3", RACING, "pair")
                self.assertEqual(ended.returncode, 0, ended.stderr)
            ended = run("export", "--to", "paje", folder)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            dumped = subprocess.run(["pj_dump", ended.stdout.strip()], capture_output=True, text=True, timeout=60,
                                    check=False, stdin=subprocess.DEVNULL)
            self.assertEqual((dumped.returncode, dumped.stderr), (0, ""))
            rows = [line.split(", ") for line in dumped.stdout.splitlines()]
            self.assertEqual({row[-1] for row in rows if row[:3] == ["Container", "job", "Rank"]},
                             {"rank 0", "rank 1", "rank 2"})
            states = [row for row in rows if row[0] == "State"]
            self.assertEqual(sorted(row[-1].split(":")[0] for row in states),
                             ["crecv at racing.c"] * 2 + ["csend at racing.c"] * 2)
            links = [row for row in rows if row[0] == "Link"]
            self.assertEqual(sorted(row[-3:-1] for row in links), [["rank 1", "rank 0"], ["rank 2", "rank 0"]])
            self.assertTrue(all(float(row[3]) <= float(row[4]) and (timed or row[3] != row[4]) for row in links))

    def check_trace(self, trace):
        slices, flows, names = [], {}, {}
        for event in trace["traceEvents"]:
            self.assertEqual(event["pid"], 1)
            if event["ph"] == "M" and event["name"] == "thread_name":
                names[event["tid"]] = event["args"]["name"]
            elif event["ph"] == "X":
                self.assertGreater(event["dur"], 0)
                slices.append(event)
            elif event["ph"] in "sf":
                flows.setdefault(event["id"], {})[event["ph"]] = event
            else:
                self.assertEqual(event["ph"], "M")
        self.assertEqual(names, {rank: f"rank {rank}" for rank in range(3)})
        self.assertEqual(len(slices), 4)
        self.assertEqual(len(flows), 2)
        for flow in flows.values():
            self.assertEqual(set(flow), {"s", "f"})
            self.assertEqual(flow["f"]["bp"], "e")
            for end in flow.values():
                self.assertTrue(any(s["tid"] == end["tid"] and
                                    s["ts"] <= end["ts"] <= s["ts"] + s["dur"] for s in slices))
        for rank in range(3):  # no slice of a rank begins before the last one is over
            own = sorted((s for s in slices if s["tid"] == rank), key=lambda s: s["ts"])
            for before, after in zip(own, own[1:]):
                self.assertLessEqual(before["ts"] + before["dur"], after["ts"] + 1e-6)

    def test_formats_and_places_that_are_not_there_are_refused(self):
        for words, code, sentence in [
                (["--to", "pdf", self.recording], 2, "--to pdf: csv, perfetto or paje is needed"),
                ([self.recording], 2, "csv, perfetto or paje is needed"),
                (["--to", "csv", "-o", "/nowhere/x", self.recording], 1, "cannot be written")]:
            ended = run("export", *words)
            self.assertEqual(ended.returncode, code, ended.stderr)
            self.assertIn(sentence, ended.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
