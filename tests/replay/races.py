#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The reports of `earl races` and its like for runs whose races are known.

usage: races.py EARL NX-PROGRAM PVM-PROGRAM NX-SOURCE PVM-SOURCE READER MPI-PROGRAM WRONG WRONG-SOURCE
    PVM-FORTRAN-PROGRAM
"""
import array
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
EARL, NX, PVM, NX_SOURCE, PVM_SOURCE, READER, MPI, WRONG, WRONG_SOURCE, PVM_FORTRAN = sys.argv[1:11]
SANITIZED = "ASAN_OPTIONS" in os.environ  # wants memory that the process of fibers already has


def run(*words):
    return subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60, check=False)


def line(source, comment):
    """Of the line that bears the comment: "racing.c:23"."""
    with open(source, encoding="ascii") as text:
        for number, words in enumerate(text, 1):
            if f"/* {comment} */" in words:
                return f"{os.path.basename(source)}:{number}"
    raise AssertionError(f"{source} has no comment {comment}")


class Recorded(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.recording = os.path.join(self.folder.name, "r.earl")

    def record(self, size, program, *arguments, code=0, place="shm"):
        ended = run("record", "--force", "-o", self.recording, "--on", place, "-n", str(size), program, *arguments)
        self.assertEqual(ended.returncode, code, ended.stderr)

    def races(self, *options):
        """Each as JSON has it."""
        ended = run("races", "--json", *options, self.recording)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return json.loads(ended.stdout)["races"]

    def text(self, *options):
        ended = run("races", *options, self.recording)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout


class Races(Recorded):
    def test_a_receive_and_both_sends_are_named_by_their_lines(self):
        self.record(3, NX, "pair")
        (race,) = self.races()
        self.assertEqual(race["call"], "crecv at " + line(NX_SOURCE, "racing receive"))
        (other,) = race["others"]
        sends = {"csend at " + line(NX_SOURCE, which) for which in ("one send", "other send")}
        self.assertEqual({race["got"]["call"], other["call"]}, sends)
        self.assertTrue(race["frontier"])
        self.assertFalse(other["same_bytes"])
        text = self.text()
        self.assertIn("1 of 2 receives raced; 1 hangs on no other race (frontier)", text)
        self.assertRegex(text, r"race 1 \(frontier\): rank 0, event \d+: crecv at racing\.c:\d+ \(")
        for call in sends:
            self.assertIn(call, text)

    def test_a_fortran_program_s_calls_of_mpi_have_its_lines(self):
        for place in ["shm"] if SANITIZED else ["shm", "fibers"]:
            with self.subTest(place):
                self.record(3, MPI, place=place)
                (race,) = self.races()
                self.assertEqual(race["call"], "MPI_Recv at racing_mpi.f:9")
                self.assertEqual({race["got"]["call"], race["others"][0]["call"]}, {"MPI_Send at racing_mpi.f:12"})
                shown = run("show", "--messages", self.recording)
                self.assertRegex(shown.stdout, r"MPI_Recv at racing_mpi\.f:21")

    def test_a_fortran_program_s_calls_of_pvm_have_its_lines(self):
        for place in ["shm"] if SANITIZED else ["shm", "fibers"]:
            with self.subTest(place):
                self.record(3, PVM_FORTRAN, place=place)
                (race,) = self.races()
                self.assertEqual(race["call"], "pvm_recv at racing_pvm.f:10")
                self.assertEqual({race["got"]["call"], race["others"][0]["call"]}, {"pvm_send at racing_pvm.f:15"})
                shown = run("show", "--messages", self.recording)
                self.assertRegex(shown.stdout, r"pvm_recv at racing_pvm\.f:24")
                self.assertNotRegex(shown.stdout, r" at \w+\.[ch]pp:")

    def test_events_ordered_by_messages_or_by_meetings_do_not_race(self):
        for size, program, case in [(3, NX, "relay"), (4, NX, "phases"), (4, PVM, "phases")]:
            with self.subTest(program=program, case=case):
                name = f"{os.path.basename(program)}-{case}"
                self.recording = os.path.join(self.folder.name, name)
                self.record(size, program, case)
                self.assertEqual(self.races(), [])
                self.assertIn("0 of", self.text())

    def test_receives_posted_together_race_by_the_program_s_wait(self):
        self.record(3, NX, "posted")
        self.assertEqual([race["call"] for race in self.races()],
                         ["irecv at " + line(NX_SOURCE, "first post"),
                          "irecv at " + line(NX_SOURCE, "second post")])

    def test_tasks_of_pvm(self):
        self.record(3, PVM, "pair")
        (race,) = self.races()
        self.assertEqual(race["call"], "pvm_recv at " + line(PVM_SOURCE, "racing receive"))
        self.assertEqual(race["got"]["call"], "pvm_send at " + line(PVM_SOURCE, "any send"))

    def test_a_task_has_its_parents_knowledge_of_its_start(self):
        self.record(1, PVM, "master")
        self.assertEqual([race["call"] for race in self.races()],
                         ["pvm_recv at " + line(PVM_SOURCE, "last race")])

    def test_a_notification_is_named_with_its_subject_and_tag(self):
        self.record(1, PVM, "notified")
        self.assertRegex(self.shown("--messages"), r"got a notification of the exit of task t4\w+ \(tag 9\)\n")
        ended = run("run", PVM, "notified", "stuck")
        self.assertEqual(ended.returncode, 86, ended.stderr)
        self.assertRegex(ended.stderr, "rank 0 has 1 message that no receive matches: "
                                       r"a notification of the exit of task t4\w+, tag 9, 4 bytes\n")

    def test_a_run_that_ended_in_a_deadlock_has_its_races_too(self):
        self.record(3, NX, "stuck", code=86)
        self.assertIn("crecv at " + line(NX_SOURCE, "racing receive"),
                      [race["call"] for race in self.races()])

    def test_events_are_made_once_and_kept(self):
        self.record(3, NX, "pair")
        self.assertNotIn("events.json", os.listdir(self.recording))
        self.races()
        kept = os.stat(os.path.join(self.recording, "e00000.ert"))
        self.races("--frontier")
        self.assertEqual(os.stat(os.path.join(self.recording, "e00000.ert")).st_ino, kept.st_ino)
        self.assertEqual(run("show", self.recording).returncode, 0)
        self.assertEqual(run("replay", self.recording).returncode, 0)

    def shown(self, *options):
        ended = run("show", *options, self.recording)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def test_a_run_is_shown_message_by_message(self):
        self.record(3, NX, "pair")
        lines = self.shown("--messages").splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0],
                         r"^rank 0, event \d+: crecv at racing.c:\d+ \(any source, tag 1\) "
                         r"got message 0 of rank [12]: csend at racing.c:\d+ "
                         r"\(event \d+, tag 1, 8 bytes\)$")
        self.assertEqual(len(self.shown("--sends").splitlines()), 4)
        self.assertEqual(len(self.shown("--rank", "0", "--peer", "1").splitlines()), 1)
        self.assertEqual(self.shown("--tag", "9"), "")
        self.assertEqual(self.shown("--to", "1"), "")
        self.assertEqual(run("show", "--tag", "9", self.recording).stderr, "earl: no receive of this run fits\n")
        for words, code, sentence in ((("--messages", "--rank", "9"), 1, "has no rank 9: it has 3 ranks, 0 to 2"),
                                      (("--peer", "7"), 1, "has no rank 7: it has 3 ranks, 0 to 2"),
                                      (("--from", "5", "--to", "2"), 2, "--from 5 --to 2: the first event")):
            ended = run("show", *words, self.recording)
            self.assertEqual((ended.returncode, ended.stdout), (code, ""))
            self.assertIn(sentence, ended.stderr)
        place = line(NX_SOURCE, "one send")
        (send,) = json.loads(self.shown("--sends", "--json", "--site", place))
        self.assertEqual((send["rank"], send["peer"], send["received"]), (1, 0, True))

    def test_others_can_read_the_events(self):
        self.record(4, NX, "phases")
        self.races()
        read = []
        for rank in range(4):
            file = os.path.join(self.recording, f"e{rank:05}.ert")
            ended = subprocess.run([sys.executable, READER, file], capture_output=True, text=True,
                                  timeout=60, check=True)
            read += ended.stdout.splitlines()
        kinds = [words.split()[0] for words in read]
        messages = [one["kind"] for one in json.loads(self.shown("--sends", "--json"))]
        self.assertEqual(kinds.count("send"), messages.count("send"))
        self.assertEqual(kinds.count("completed"), kinds.count("match"))
        self.assertEqual(kinds.count("match"), messages.count("receive"))
        self.assertEqual(kinds.count("collective"), kinds.count("collected"))
        self.assertEqual(kinds.count("end"), 4)

    def test_a_run_may_write_its_events_itself(self):
        ended = run("run", "--tool", "events=" + self.recording, "-n", "3", NX, "pair")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(len(self.races()), 1)
        ended = run("profile", "--json", self.recording)
        self.assertIn("waited_ms", json.loads(ended.stdout)["calls"][0])

    def test_a_recording_may_keep_times(self):
        for more in [], ["--minimal"]:
            ended = run("record", "--times", *more, "--force", "-o", self.recording, "-n", "3", NX, "pair")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            profile = json.loads(run("profile", "--json", self.recording).stdout)
            self.assertIn("waited_ms", profile["calls"][0])
            self.assertEqual(run("replay", self.recording).returncode, 0)
            self.assertIn("waited ms", run("profile", self.recording).stdout)

    def test_calls_and_bytes_are_counted_by_line(self):
        self.record(3, NX, "pair")
        ended = run("profile", "--json", self.recording)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        profile = json.loads(ended.stdout)
        (one,) = [use for use in profile["calls"]
                  if use["call"] == "csend at " + line(NX_SOURCE, "one send")]
        self.assertEqual((one["calls"], one["sent"], one["bytes"]), (1, 1, 8))
        self.assertNotIn("waited_ms", one)
        self.assertEqual(profile["pairs"], [{"from": rank, "to": 0, "messages": 1, "bytes": 8}
                                            for rank in (1, 2)])
        self.assertEqual(profile["sizes"], [{"below": 16, "messages": 2, "bytes": 16}])
        self.assertIn("by call", run("profile", self.recording).stdout)

    @staticmethod
    def drawn(page):
        return json.loads(re.search(r"^const run = (.*);$", page, re.MULTILINE).group(1))

    def drawn_rows(self, page, columns, what):
        columns = re.search(rf"const {columns} = \[(.*?)\];", page, re.DOTALL).group(1)
        names = re.findall(r"'(\w+)'", columns)
        numbers = self.drawn_numbers(page, what)
        return [dict(zip(names, numbers[at:at + len(names)])) for at in range(0, len(numbers), len(names))]

    def drawn_numbers(self, page, what):
        return array.array("i", base64.b64decode(self.drawn(page)[what])).tolist()

    def drawn_messages(self, page):
        return self.drawn_rows(page, "columns", "messages")

    def test_a_run_is_drawn_as_one_page(self):
        self.record(3, NX, "pair")
        ended = run("view", self.recording)
        page = os.path.join(self.recording, "view.html")
        self.assertEqual((ended.returncode, ended.stdout), (0, page + "\n"), ended.stderr)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(run("view", "-o", "-", self.recording).stdout, text)
        self.assertNotRegex(text, r"(src|href)=|https?://|@import|fetch\(")
        drawn = self.drawn(text)
        messages = self.drawn_messages(text)
        self.assertEqual(sorted((one["source"], one["dest"], one["bytes"]) for one in messages),
                         [(1, 0, 8), (2, 0, 8)])
        for one in messages:
            self.assertLess(one["sent"], one["received"])
            self.assertIn(drawn["sites"][one["sendSite"]],
                          {"csend at " + line(NX_SOURCE, which)
                           for which in ("one send", "other send")})
        (race,) = self.drawn_rows(text, "raceColumns", "races")
        (other,) = self.drawn_numbers(text, "others")
        self.assertEqual((race["number"], race["rank"], race["others"]), (1, 0, 1))
        self.assertEqual({race["got"], other}, {0, 1})
        self.assertEqual(drawn["sites"][messages[race["got"]]["receiveSite"]],
                         "crecv at " + line(NX_SOURCE, "racing receive"))

    def test_commands_on_the_page_do_what_they_say(self):
        self.record(3, NX, "pair")
        text = run("view", "-o", "-", self.recording).stdout
        (message,) = [one for one in self.drawn_messages(text)
                      if one["source"] == 1 and one["received"] >= 0]
        values = {"where": self.recording, "source": 1, "sent": message["sendEvent"],
                  "dest": 0, "received": message["receiveEvent"], "number": 1}
        commands = [re.sub(r"\$\{([\w.]+)\}", lambda name: str(values[name.group(1)]), words)
                    for words in re.findall(r"command\(`earl (.*\$\{where\}.*)`\)", text)]
        self.assertEqual(len(commands), 4)
        said = []
        for words in commands:
            # There is no terminal here.
            ended = run(*words.replace(" --gdb", "").split())
            said.append((ended.returncode, ended.stdout + ended.stderr))
        self.assertEqual([code for code, _ in said], [84, 84, 0, 0], said)
        for (_, text), place in zip(said, ("rank 1 is at event", "rank 0 is at event", "crecv", "replay --path 0:")):
            self.assertIn(place, text)

    def test_a_deadlock_is_shown(self):
        ended = run("record", "-o", self.recording, "-n", "3", WRONG, "stuck")
        self.assertEqual(ended.returncode, 86, ended.stderr)
        waits = re.compile(r"rank ([012])(?: waits in|,|: waits for ever in)? event \d+: crecv at "
                           + re.escape(line(WRONG_SOURCE, "stuck receive")))
        for command in ("races", "profile"):
            said = run(command, self.recording).stdout
            self.assertIn("the run ended in a deadlock; ", said)
            self.assertEqual(waits.findall(said), ["0", "1", "2"], said)
        self.assertIn("deadlock", json.loads(run("races", "--json", self.recording).stdout)["deadlock"])
        drawn = self.drawn(run("view", "-o", "-", self.recording).stdout)
        self.assertIn("deadlock", drawn["deadlock"])
        self.assertEqual([call["rank"] for call in drawn["blocked"]], [0, 1, 2])
        drawing = run("view", "-o", os.path.join(self.folder.name, "stuck.svg"), self.recording)
        root = xml.etree.ElementTree.parse(drawing.stdout.strip()).getroot()
        titles = [box.find(SVG + "title").text for box in root.iter(SVG + "rect")
                  if box.find(SVG + "title") is not None]
        self.assertEqual(len(titles), 3)
        self.assertRegex(titles[2], r"^rank 2 waits for ever in event \d+: crecv at wrong\.c:\d+ ")

    def test_ranks_in_a_deadlock_have_those_that_they_wait_for(self):
        ended = run("record", "-o", self.recording, "-n", "6", NX, "circle")
        self.assertEqual(ended.returncode, 86, ended.stderr)
        waits = [[0, 1, 1], [1, 2, 1], [2, 0, 1], [3, 0, 0], [4, 0, 0], [5, -1, 0]]
        self.assertEqual(self.drawn(run("view", "-o", "-", self.recording).stdout)["waits"], waits)
        # A recording of an earlier version: the events have them, too.
        end = os.path.join(self.recording, "end.json")
        with open(end, encoding="utf-8") as file:
            kept = json.load(file)
        del kept["waits"]
        with open(end, "w", encoding="utf-8") as file:
            json.dump(kept, file)
        self.assertEqual(self.drawn(run("view", "-o", "-", self.recording).stdout)["waits"], waits)

    def test_a_name_does_not_end_the_script_of_the_page(self):
        self.record(3, NX, "pair")
        odd = os.path.join(self.folder.name, "a<", "script>b")
        os.mkdir(os.path.dirname(odd))
        os.rename(self.recording, odd)
        page = run("view", "-o", "-", odd)
        self.assertEqual((page.returncode, page.stdout.count("</script>")), (0, 1), page.stderr)
        self.assertIn(r"a<\/script>b", page.stdout)

    def test_a_run_is_drawn_as_svg(self):
        self.record(3, NX, "pair")
        drawing = os.path.join(self.folder.name, "pair.svg")
        ended = run("view", "-o", drawing, self.recording)
        self.assertEqual((ended.returncode, ended.stdout), (0, drawing + "\n"), ended.stderr)
        root = xml.etree.ElementTree.parse(drawing).getroot()
        lanes = [text.text for text in root.iter(SVG + "text") if text.text.startswith("rank ")]
        self.assertEqual(lanes, ["rank 0", "rank 1", "rank 2"])
        arrows = {path.find(SVG + "title").text: path.get("class") for path in root.iter(SVG + "path")
                  if path.find(SVG + "title") is not None}
        self.assertEqual(sorted(arrows.values()), ["other", "race"])
        for title in arrows:
            self.assertRegex(title, r"^rank [12] to rank 0, tag 1, 8 bytes: csend at racing.c:\d+, "
                                    r"crecv at racing.c:\d+$")

    def test_a_page_that_cannot_be_written_is_not_there(self):
        self.record(3, NX, "pair")
        for file, why in ((os.path.join(self.folder.name, "no", "x.svg"), "No such file"),
                          (os.path.join(self.folder.name, "no", "x.html"), "No such file"),
                          ("/dev/full", "No space left")):
            ended = run("view", "-o", file, self.recording)
            self.assertEqual(ended.returncode, 1)
            self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)
            self.assertIn(f"{file} cannot be written: {why}", ended.stderr)

    def test_missing_data_is_reported_in_a_sentence(self):
        ended = run("races", self.recording)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("no such recording", ended.stderr)


@unittest.skipIf(SANITIZED, "fibers are not sanitized")
class Diff(unittest.TestCase):
    """Two runs of which the seed decided otherwise."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def recording(self, name):
        return os.path.join(self.folder.name, name)

    def record(self, name, seed, mode):
        ended = run("record", "-o", self.recording(name), "--on", "fibers", "--seed", str(seed), "-n", "3",
                    NX, mode)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def diff(self, *words, code):
        ended = run("diff", *words)
        self.assertEqual(ended.returncode, code, ended)
        return ended.stdout

    def other_seed(self):
        """Records runs until one differs from the first; gives its name."""
        self.record("0", 1, "pair")
        for seed in range(2, 40):
            name = str(seed)
            self.record(name, seed, "pair")
            if run("diff", self.recording("0"), self.recording(name)).returncode == 3:
                return name
        raise AssertionError("each seed gives the same run")

    def test_the_receive_that_got_another_message_is_named(self):
        other = self.other_seed()
        one, other = self.recording("0"), self.recording(other)
        text = self.diff(one, other, code=3)
        self.assertIn("rank 0 differs:", text)
        self.assertIn("crecv at " + line(NX_SOURCE, "racing receive"), text)
        for which in ("one send", "other send"):
            self.assertIn("csend at " + line(NX_SOURCE, which), text)
        self.assertIn(f"timing decided: it is race 1 of `earl races {one}`", text)
        (difference,) = json.loads(self.diff("--json", one, other, code=3))["differences"]
        facts = [difference[key] for key in ("rank", "first", "raced", "alike_before")]
        self.assertEqual(facts, [0, True, True, 0])
        self.assertNotEqual(difference["a"]["peer"], difference["b"]["peer"])

    def test_runs_that_are_alike(self):
        self.record("a", 3, "pair")
        self.record("b", 3, "pair")
        self.assertIn("are alike", self.diff(self.recording("a"), self.recording("b"), code=0))

    def test_two_runs_are_drawn_on_one_page(self):
        one, other = self.recording("0"), self.recording(self.other_seed())
        ended = run("view", one, other)
        page = os.path.join(one, "view-diff.html")
        self.assertEqual((ended.returncode, ended.stdout), (0, page + "\n"), ended.stderr)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertNotRegex(text, r"(src|href)=|https?://|@import|fetch\(")
        drawn = json.loads(re.search(r"^const run = (.*);$", text, re.MULTILINE).group(1))
        self.assertEqual((drawn["recording"], drawn["other"]["recording"]), (one, other))
        (difference,) = drawn["comparison"]["differences"]
        self.assertTrue(difference["first"])
        self.assertIn(difference["text"], self.diff(one, other, code=3))
        self.assertEqual(difference["a"]["column"], difference["b"]["column"])
        for part in drawn, drawn["other"]:
            self.assertEqual(array.array("i", base64.b64decode(part["differing"])).tolist(), [0, 1])

    def test_two_runs_need_a_page(self):
        self.record("a", 3, "pair")
        one = self.recording("a")
        ended = run("view", "-o", self.recording("x.svg"), one, one)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("a drawing shows one run; two need a page (.html)", ended.stderr)
        self.assertIn("are alike", run("view", "-o", "-", one, one).stdout)
        self.assertIn("no such recording", run("view", one, self.recording("b")).stderr)

    def test_how_the_runs_were_started_is_compared(self):
        for name, seed, variables, text in (("a", 1, {"BIAS": "3"}, "one two"), ("b", 2, {}, "one six")):
            ended = subprocess.run([EARL, "record", "-o", self.recording(name), "--on", "fibers", "--seed",
                                    str(seed), "-n", "3", NX, "pair"], input=text, capture_output=True,
                                   text=True, timeout=60, check=False, env={**os.environ, **variables})
            self.assertEqual(ended.returncode, 0, ended.stderr)
        a, b = self.recording("a"), self.recording("b")
        words = run("diff", a, b).stdout
        self.assertIn("the runs were not started alike:\n", words)
        self.assertIn(f"  BIAS in the environment:\n    {a}  '3'\n    {b}  not set\n", words)
        starts = json.loads(run("diff", "--json", a, b).stdout)["starts"]
        self.assertEqual([start["of"] for start in starts],
                         ["settings", "BIAS in the environment", "standard input"])
        self.assertEqual(starts[2]["a"], "7 bytes, other bytes from offset 4 on")
        self.assertEqual(json.loads(run("diff", "--json", a, a).stdout)["starts"], [])

    def test_other_programs_and_directories_that_are_no_recording(self):
        self.record("a", 1, "pair")
        self.record("b", 1, "relay")
        words = self.diff(self.recording("a"), self.recording("b"), code=3)
        self.assertIn("differs:", words)
        self.assertIn(f"  command:\n    {self.recording('a')}  {NX} pair\n", words)
        self.assertIn("  no message before it differs; how the runs were started does\n", words)
        self.assertIn("no such recording", run("diff", self.recording("a"), self.recording("c")).stderr)
        self.assertIn("two recordings are needed", run("diff", self.recording("a")).stderr)


class Flip(Recorded):
    """A recorded run with the other outcome of a race. Its events are read."""

    def flipped(self, number, on):
        (race,) = [race for race in self.races() if race["number"] == number]
        other = race["others"][0]
        path = f"{race['rank']}:{race['receive']}={other['rank']}#{other['message']}"
        events = tempfile.mkdtemp(dir=self.folder.name)
        os.rmdir(events)
        ended = run("replay", "--path", path, "--on", on, "--tool", "events=" + events, self.recording)
        messages = run("show", "--messages", "--json", events)
        return path, ended, [item for item in json.loads(messages.stdout) if item["rank"] == race["rank"]]

    def test_the_receive_gets_the_other_message(self):
        self.record(3, NX, "pair")
        (race,) = self.races()
        for on in ("shm",) if SANITIZED else ("shm", "fibers"):
            _, ended, received = self.flipped(1, on)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertEqual([item["peer"] for item in received],
                             [race["others"][0]["rank"], race["got"]["rank"]])

    def test_flip_equals_path(self):
        self.record(3, NX, "pair")
        path, _, _ = self.flipped(1, "shm")
        ended = run("flip", self.recording, "1")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn(f"earl: running: earl replay --path {path} {self.recording}", ended.stderr)

    def test_of_receives_posted_together_another_gets_the_message(self):
        self.record(3, NX, "posted")
        for race in self.races():
            _, ended, received = self.flipped(race["number"], "shm")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertEqual(len({(item["peer"], item["message"]) for item in received}), len(received))

    def test_invalid_paths(self):
        self.record(3, NX, "pair")
        for arguments, code, sentence in (
                (("flip", self.recording, "2"), 1, "has no race 2"),
                (("flip", self.recording), 2, "are needed"),
                (("replay", "--path", "0:9=1#0", self.recording), 1, "has no such receive"),
                (("replay", "--path", "0:x", self.recording), 2, "RANK:RECEIVE=SOURCE#MESSAGE"),
                (("replay", "--path", "0:0=", self.recording), 1, "each step names a message")):
            ended = run(*arguments)
            self.assertEqual(ended.returncode, code, ended)
            self.assertIn(sentence, ended.stderr)
            self.assertEqual(ended.stderr.count("\n"), 1, ended)

    def test_a_message_that_is_never_sent(self):
        self.record(3, NX, "pair")
        ended = run("replay", "--path", "0:0=1#9", self.recording)
        self.assertEqual(ended.returncode, 86, ended)
        self.assertIn("the recorded run sent no message 9 from rank 1 to rank 0", ended.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
