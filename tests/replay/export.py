#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`earl export`, of a run of which all is known.

usage: export.py EARL RACING
"""
import collections
import csv
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

EARL, RACING = sys.argv[1:3]
# Go shows its own traces by it.
VIEWERS = glob.glob("/usr/share/go-*/src/**/trace_viewer_full.html", recursive=True)


def run(*words):
    return subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=100, check=False)


def read_trace(trace):
    """The names of its threads, and the slices of each message's send and receive, as Perfetto and the Trace Event viewer
    find them: times are whole nanoseconds, slices of a thread nest or do not meet, and an arrow belongs to the innermost
    slice at its time; it begins before it ends, and in the slice that begins first."""
    names, stacks, begun, messages = {}, collections.defaultdict(list), {}, []
    for event in sorted(trace["traceEvents"], key=lambda event: int(event.get("ts", -1) * 1000)):
        if event["ph"] == "M":
            if event["name"] == "thread_name":
                names[event["tid"]] = event["args"]["name"]
            continue
        assert event["tid"] != event["pid"], "a thread would be taken for the process's first one"
        time, stack = int(event["ts"] * 1000), stacks[event["tid"]]
        while stack and stack[-1][1] <= time:
            stack.pop()
        if event["ph"] == "X":
            end = time + int(event["dur"] * 1000)
            assert time < end and (not stack or end <= stack[-1][1]), f"{event} is left out"
            stack.append((time, end, event))
            continue
        assert stack and stack[-1][0] < time, f"{event} is in no slice"
        if event["ph"] == "s":
            begun[event["id"]] = stack[0]
            continue
        assert (event["ph"], event["bp"]) == ("f", "e"), event
        began, _, sent = begun.pop(event["id"])
        assert began <= stack[-1][0], f"the arrow of {event} is turned round"
        messages.append((sent, stack[0][2]))
    assert not begun, "arrows have no end"
    return names, messages


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
        trace = json.loads(run("export", "--to", "perfetto", "-o", "-", self.timed_run()).stdout)
        self.assertEqual(trace["otherData"]["time"], "microseconds")
        self.check_trace(trace)

    def test_a_paje_trace_is_read_by_its_own_tool(self):
        for timed in (False, True):
            folder = self.timed_run() if timed else self.recording
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

    def test_an_otf2_archive_is_read_by_its_own_tool(self):
        for timed in (False, True):
            folder = self.timed_run() if timed else self.recording
            for _ in range(2):  # another one takes its place
                ended = run("export", "--to", "otf2", folder)
                self.assertEqual(ended.returncode, 0, ended.stderr)
            anchor = os.path.join(ended.stdout.strip(), "traces.otf2")
            printed = subprocess.run(["otf2-print", anchor], capture_output=True, text=True, timeout=60, check=False,
                                     stdin=subprocess.DEVNULL)
            self.assertEqual((printed.returncode, printed.stderr), (0, ""))
            events = re.findall(r"^(ENTER|LEAVE|MPI_SEND|MPI_RECV) +([012]) +(\d+) +(.*)$", printed.stdout, re.MULTILINE)
            kinds = collections.Counter((kind, rank) for kind, rank, _, _ in events)
            self.assertEqual(kinds, {("ENTER", "0"): 2, ("LEAVE", "0"): 2, ("MPI_RECV", "0"): 2,
                                     ("ENTER", "1"): 1, ("LEAVE", "1"): 1, ("MPI_SEND", "1"): 1,
                                     ("ENTER", "2"): 1, ("LEAVE", "2"): 1, ("MPI_SEND", "2"): 1})
            places = {re.search(r'"(\w+ at [\w.]+):', rest)[1] for kind, _, _, rest in events if kind == "ENTER"}
            self.assertEqual(places, {"crecv at racing.c", "csend at racing.c"})
            defined = subprocess.run(["otf2-print", "-G", anchor], capture_output=True, text=True, timeout=60, check=True,
                                     stdin=subprocess.DEVNULL).stdout
            regions = re.findall(r'^REGION .*Name: "\w+ at ([\w.]+):(\d+).*File: "([\w.]+)".*Begin: (\d+), End: (\d+)', defined,
                                 re.MULTILINE)
            self.assertEqual(len(regions), len(re.findall("^REGION ", defined, re.MULTILINE)), defined)
            for name, number, file, begin, end in regions:
                self.assertEqual((file, begin, end), (name, number, number))
            times = {rank: [int(time) for _, of, time, _ in events if of == rank] for rank in "012"}
            for own in times.values():
                self.assertEqual(own, sorted(own))
            sent = {rank: int(time) for kind, rank, time, _ in events if kind == "MPI_SEND"}
            for kind, _, time, rest in events:
                if kind == "MPI_RECV":
                    self.assertLessEqual(sent[re.search(r"Sender: (\d)", rest)[1]], int(time))

    def test_an_otf2_archive_that_cannot_be_written_leaves_nothing(self):
        place = os.path.join(self.folder.name, "there")
        os.mkdir(place)
        for target, sentence in ((place, "is there already"), ("/proc/archive", "cannot be written")):
            ended = run("export", "--to", "otf2", "-o", target, self.recording)
            self.assertEqual((ended.returncode, len(ended.stderr.splitlines())), (1, 1), ended.stderr)
            self.assertIn(sentence, ended.stderr)
        self.assertEqual(os.listdir(place), [])
        self.assertFalse(os.path.exists("/proc/archive"))

    def timed_run(self):
        folder = os.path.join(self.folder.name, "timed")
        ended = run("run", "--tool", f"events={folder}", "-n", "3", RACING, "pair")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return folder

    def check_trace(self, trace):
        names, messages = read_trace(trace)
        self.assertEqual(names, {rank: f"rank {rank}" for rank in range(3)})
        places = sorted(["csend at racing.c", "crecv at racing.c"] * 2)
        self.assertEqual(sorted(event["name"].split(":")[0] for event in trace["traceEvents"]
                                if event["ph"] == "X" and event["cat"] != "sent"), places)
        self.assertEqual(sorted((sent["tid"], taken["tid"]) for sent, taken in messages), [(1, 0), (2, 0)])
        for sent, taken in messages:
            self.assertEqual((sent["cat"], taken["cat"], sent["args"]["peer"], taken["args"]["peer"]),
                             ("send", "receive", 0, sent["tid"]))

    @unittest.skipUnless(VIEWERS and shutil.which("node"), "there is no Trace Event viewer (golang-src), or no node for it")
    def test_trace_events_are_read_by_their_viewer(self):
        for mode in "pair", "posted", "crossed", "phases", "stuck":
            recording = os.path.join(self.folder.name, mode)
            ended = run("record", "--times", "-o", recording, "-n", "3", RACING, mode)
            self.assertEqual(ended.returncode, 86 if mode == "stuck" else 0, ended.stderr)
            trace = run("export", "--to", "perfetto", recording).stdout.strip()
            read = subprocess.run(["node", os.path.join(os.path.dirname(__file__), "trace_viewer.js"), VIEWERS[0], trace],
                                  capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
            self.assertEqual((read.returncode, read.stderr), (0, ""))
            found = json.loads(read.stdout)
            rows = list(csv.DictReader(io.StringIO(run("export", "--to", "csv", "-o", "-", recording).stdout)))
            self.assertEqual((found["warnings"], found["processes"]), ([], ["job"]))
            steps = collections.Counter(f"rank {row['rank']}" for row in rows)  # a rank without any is not shown
            self.assertEqual(dict(zip(found["threads"], found["slices"])), steps)
            received = {(row["peer"], row["rank"], row["message"]): int(row["event"]) for row in rows
                        if row["operation"] == "receive" and row["message"]}
            sent = [(int(row["rank"]), int(row["event"]), int(row["peer"]), received[key]) for row in rows
                    for key in [(row["rank"], row["peer"], row["message"])] if row["operation"] == "send" and key in received]
            self.assertEqual(sorted((one["sent"]["rank"], one["sent"]["args"]["event"], one["received"]["rank"],
                                     one["received"]["args"].get("posted", one["received"]["args"]["event"]))
                                    for one in found["messages"]), sorted(sent))
            self.assertTrue(all(one["forward"] for one in found["messages"]), read.stdout)

    def test_a_message_arrives_in_the_call_that_completes_its_receive(self):
        recording = os.path.join(self.folder.name, "crossed.earl")
        events = os.path.join(self.folder.name, "crossed")
        for words in ["record", "-o", recording], ["run", "--tool", f"events={events}"]:
            ended = run(*words, "-n", "3", RACING, "crossed")
            self.assertEqual(ended.returncode, 0, ended.stderr)
        for folder in recording, events:
            trace = json.loads(run("export", "--to", "perfetto", "-o", "-", folder).stdout)
            _, messages = read_trace(trace)
            calls = [(sent["tid"], sent["name"].split()[0], taken["name"].split()[0]) for sent, taken in messages]
            self.assertEqual(sorted(calls), [(0, "csend", "crecv"), (1, "csend", "msgwait")])
            (wait,) = [taken for _, taken in messages if taken["tid"] == 0]
            self.assertRegex(wait["args"]["posted by"], r"^irecv at racing\.c:\d+$")
            self.assertLess(wait["args"]["posted"], wait["args"]["event"])
            archive = run("export", "--to", "otf2", folder).stdout.strip()
            printed = subprocess.run(["otf2-print", os.path.join(archive, "traces.otf2")], capture_output=True, text=True,
                                     timeout=60, check=True, stdin=subprocess.DEVNULL).stdout
            order = re.findall(r"^(MPI_SEND|MPI_RECV) +([01]) ", printed, re.MULTILINE)
            self.assertEqual(order, [("MPI_SEND", "0"), ("MPI_RECV", "1"), ("MPI_SEND", "1"), ("MPI_RECV", "0")], printed)

    def test_formats_and_places_that_are_not_there_are_refused(self):
        for words, code, sentence in [
                (["--to", "pdf", self.recording], 2, "--to pdf: csv, perfetto, otf2 or paje is needed"),
                ([self.recording], 2, "csv, perfetto, otf2 or paje is needed"),
                (["--to", "otf2", "-o", "-", self.recording], 2, "-o -: an OTF2 archive is a directory"),
                (["--to", "csv", "-o", "/nowhere/x", self.recording], 1, "cannot be written")]:
            ended = run("export", *words)
            self.assertEqual(ended.returncode, code, ended.stderr)
            self.assertIn(sentence, ended.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
