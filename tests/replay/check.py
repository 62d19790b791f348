#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`earl check`, of programs with one fault each.

usage: check.py EARL WRONG wrong.c UNFREED-NX UNFREED-PVM UNFREED-MPI unfreed_nx.c unfreed_pvm.c unfreed_mpi.c
                MISMATCHED mismatched_mpi.c MISTYPED mistyped_mpi.c NAMED named_mpi.c WRONG-MPI wrong_mpi.c
                MISPACKED mistyped_pvm.c
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

EARL, WRONG, SOURCE = (os.path.abspath(path) for path in sys.argv[1:4])
UNFREED_NX, UNFREED_PVM, UNFREED, NX_SOURCE, PVM_SOURCE, UNFREED_SOURCE = (os.path.abspath(path) for path in sys.argv[4:10])
MISMATCHED, MISMATCHED_SOURCE = (os.path.abspath(path) for path in sys.argv[10:12])
MISTYPED, MISTYPED_SOURCE = (os.path.abspath(path) for path in sys.argv[12:14])
NAMED, NAMED_SOURCE = (os.path.abspath(path) for path in sys.argv[14:16])
WRONG_MPI, WRONG_MPI_SOURCE = (os.path.abspath(path) for path in sys.argv[16:18])
MISPACKED, MISPACKED_SOURCE = (os.path.abspath(path) for path in sys.argv[18:20])


def line(comment, source=SOURCE):
    with open(source, encoding="ascii") as text:
        return next(f"{os.path.basename(source)}:{n}" for n, words in enumerate(text, 1)
                    if f"/* {comment} */" in words)


class Check(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def check(self, *words):
        return subprocess.run([EARL, "check", *words], stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=100, check=False, cwd=self.folder.name)

    def found(self, case, code=1, options=()):
        """The report of a run, and the names of what is in it."""
        ended = self.check("--json", *options, "-n", "3", WRONG, case)
        self.assertEqual(ended.returncode, code, ended)
        report = json.loads(ended.stdout)
        self.assertEqual(report["findings"] != 0, code == 1)
        self.assertIn("hello", ended.stderr)
        parts = ("deadlock", "races", "unreceived", "receives", "hazard")
        return report, [part for part in parts if report[part]]

    def test_a_right_program(self):
        report, parts = self.found("right", code=0)
        self.assertEqual((parts, report["exit_code"]), ([], 0))
        ended = self.check("-o", "r", "-n", "3", WRONG, "right")
        self.assertEqual(ended.returncode, 0, ended)
        self.assertEqual(ended.stdout.splitlines()[:3], ["hello"] * 3)
        self.assertRegex(ended.stdout.splitlines()[3], "/r: nothing found$")

    def test_a_race(self):
        report, parts = self.found("race")
        self.assertEqual(parts, ["races"])
        self.assertEqual(report["races"][0]["call"], "crecv at " + line("racing receive"))
        self.assertEqual(self.check("--ignore=races").returncode, 0)

    def test_messages_that_are_never_received(self):
        report, parts = self.found("orphan")
        self.assertEqual(parts, ["unreceived"])
        (lost,) = report["unreceived"]
        self.assertEqual(lost["call"], "csend at " + line("lost message"))
        self.assertEqual((lost["rank"], lost["dest"], lost["tag"], lost["count"]), (2, 1, 7, 3))
        self.found("orphan", code=0, options=("--ignore", "unreceived"))

    def test_a_receive_that_never_gets_a_message(self):
        report, parts = self.found("open")
        self.assertEqual(parts, ["receives"])
        (receive,) = report["receives"]
        self.assertEqual((receive["rank"], receive["call"]),
                         (1, "irecv at " + line("open receive")))

    def test_a_ring_that_relies_on_room(self):
        report, parts = self.found("ring")
        self.assertEqual(parts, ["hazard"])
        self.assertEqual([(call["rank"], call["waits_for"]) for call in report["hazard"]],
                         [(0, 1), (1, 2), (2, 0)])
        self.assertEqual({call["call"] for call in report["hazard"]},
                         {"csend at " + line("ring send")})
        # The same job comes to that.
        ended = subprocess.run([EARL, "run", "--send", "synchronous", "-n", "3", WRONG, "ring"],
                               capture_output=True, timeout=100, check=False)
        self.assertEqual(ended.returncode, 86, ended)

    def test_standard_sends_of_mpi_rely_on_room(self):
        ended = self.check("--json", "-n", "3", WRONG_MPI, "exchange")
        report = json.loads(ended.stdout)
        self.assertEqual([(call["rank"], call["waits_for"]) for call in report["hazard"]],
                         [(0, 1), (1, 2), (2, 0)], ended)
        self.assertEqual({call["call"] for call in report["hazard"]},
                         {"MPI_Send at " + line("ring send", WRONG_MPI_SOURCE)})
        ended = subprocess.run([EARL, "run", "--send", "synchronous", "-n", "3", WRONG_MPI, "exchange"],
                               capture_output=True, timeout=100, check=False)
        self.assertEqual(ended.returncode, 86, ended)

    def test_waits_for_nonblocking_sends_rely_on_room(self):
        report = json.loads(self.check("--json", "-n", "3", WRONG_MPI, "waits").stdout)
        self.assertEqual([(call["rank"], call["waits_for"]) for call in report["hazard"]],
                         [(0, 1), (1, 2), (2, 0)], report)
        self.assertEqual({call["call"] for call in report["hazard"]},
                         {"MPI_Wait at " + line("ring wait", WRONG_MPI_SOURCE)})

    def test_buffers_of_sends_that_are_altered(self):
        sent, wait, lost = (f"{call} at {line(mark, WRONG_MPI_SOURCE)}" for call, mark in
                            [("MPI_Isend", "altered send"), ("MPI_Wait", "late wait"), ("MPI_Isend", "lost send")])
        ended = self.check("-n", "3", "-o", "r", WRONG_MPI, "altered")
        self.assertRegex(ended.stdout, rf"""buffer altered: a send's buffer must stay as it is until the send is complete
  sent rank 0, event \d+: {sent}: message 0 to rank 1 \(tag 1, .*4 bytes\)
  completed rank 0, event \d+: {wait}
  2 messages more like it
""")
        self.assertEqual(self.check("--ignore=buffers", "r").returncode, 0)
        report = json.loads(self.check("--json", "-n", "3", WRONG_MPI, "freed").stdout)
        self.assertIn((lost, 1), [(kind["sent"]["call"], kind["count"]) for kind in report["buffers"]])

    def test_nonblocking_sends_that_are_right(self):
        ended = self.check("-n", "3", WRONG_MPI, "right")
        self.assertEqual(ended.returncode, 0, ended)

    def test_a_call_that_fails(self):
        place = "count is -1: pass 0 or more (MPI_ERR_COUNT), called at " + line("negative count", WRONG_MPI_SOURCE)
        ended = self.check("-n", "3", WRONG_MPI, "refused")
        self.assertEqual(ended.returncode, 1, ended)
        self.assertIn(place + "; ", ended.stderr)
        self.assertIn(f"failure: the run ended with exit code 2: mpi: rank 0: MPI_Send: {place}\n", ended.stdout)

    def test_a_collective_that_one_member_does_not_call(self):
        ended = self.check("-n", "3", WRONG_MPI, "absent")
        self.assertEqual(ended.returncode, 1, ended)
        self.assertRegex(ended.stdout, f"collectives do not match: .*\n  rank 0, event .*: MPI_Bcast at "
                                       f"{line('broadcast without 2', WRONG_MPI_SOURCE)}: .*\n"
                                       "  rank 2: no such call until its end\n")

    def test_objects_that_are_never_freed(self):
        requests = "request at " + line("kept requests", UNFREED_SOURCE)
        datatype = "datatype at " + line("kept type", UNFREED_SOURCE)
        ended = self.check("--json", "-n", "2", UNFREED)
        self.assertEqual(ended.returncode, 1, ended)
        report = json.loads(ended.stdout)
        self.assertEqual(report["unreleased"], [{"rank": 1, "made": requests, "count": 3},
                                                {"rank": 1, "made": datatype, "count": 1}])
        self.assertEqual(report["findings"], 2)
        # The same of a recording.
        subprocess.run([EARL, "record", "-o", "r", "-n", "2", UNFREED], check=True,
                       capture_output=True, timeout=100, cwd=self.folder.name)
        ended = self.check("r")
        self.assertEqual(ended.stdout.splitlines()[:3],
                         [f"never freed: rank 1: {requests}", "  2 objects more like it",
                          f"never freed: rank 1: {datatype}"])
        self.assertEqual(self.check("--ignore=unreleased", "r").returncode, 0)

    def test_message_ids_that_are_never_released(self):
        report = json.loads(self.check("--json", "-n", "2", UNFREED_NX).stdout)
        kept = [("kept receive", 1), ("kept sends", 3), ("kept merge", 1)]
        self.assertEqual(report["unreleased"], [{"rank": 1, "made": "message id at " + line(made, NX_SOURCE), "count": count}
                                                for made, count in kept])

    def test_message_buffers_that_are_never_freed(self):
        report = json.loads(self.check("--json", "-n", "1", UNFREED_PVM).stdout)
        made = "message buffer at " + line("kept buffers", PVM_SOURCE)
        self.assertEqual(report["unreleased"], [{"rank": 0, "made": made, "count": 4}])

    def test_a_replay_that_fails_where_the_run_did_not(self):
        subprocess.run([EARL, "record", "-o", "r", "-n", "2", WRONG, "changed"], check=True,
                       capture_output=True, timeout=100, cwd=self.folder.name)
        flag = os.path.join(self.folder.name, "changed")
        with open(flag, "x", encoding="ascii"):
            pass
        ended = self.check("r")
        self.assertEqual(ended.returncode, 87, ended)
        self.assertRegex(ended.stderr, r"earl: rank 1 \(wrong, nx\) was killed by SIGABRT.*; only what comes before "
                                       "that is analysed")
        # Receives of its last calls are no findings.
        self.assertRegex(ended.stdout, "/r: nothing found$")
        # Its events are not kept.
        os.remove(flag)
        self.assertEqual(self.check("r").returncode, 0)

    def test_a_deadlock(self):
        report, parts = self.found("stuck")
        self.assertEqual((parts, report["exit_code"]), (["deadlock"], 86))

    def test_collectives_that_do_not_match(self):
        ended = self.check("--json", "-n", "3", MISMATCHED)
        (parts,) = json.loads(ended.stdout)["collectives"]
        self.assertEqual([(part["rank"], part["kind"], part["root"]) for part in parts],
                         [(0, "broadcast", 0), (1, "reduce", 0)])
        text = self.check("earl-recordings/latest").stdout
        self.assertIn("collectives do not match: all members must make the same calls in the same order\n", text)
        for rank, call, comment in (0, "MPI_Bcast", "broadcast"), (1, "MPI_Reduce", "reduction"):
            self.assertRegex(text, rf"  rank {rank}, event \d+: {call} at {line(comment, MISMATCHED_SOURCE)}: ")
        self.assertEqual(self.check("--ignore=collectives", "earl-recordings/latest").returncode, 0)

    def test_messages_that_are_received_as_other_types(self):
        def kind(place, call, comment, types):
            return (place, f"{call} at {line(comment, MISTYPED_SOURCE)}", types)
        kinds = [kind(0, "MPI_Send", "sent words", "MPI_INT"), kind(1, "MPI_Recv", "received real", "MPI_DOUBLE"),
                 kind(0, "MPI_Send", "sent real", "MPI_DOUBLE"), kind(1, "MPI_Irecv", "received words", "MPI_INT")]
        ended = self.check("--json", "-n", "2", MISTYPED)
        self.assertEqual(ended.returncode, 1, ended)
        report = json.loads(ended.stdout)
        self.assertEqual([(end["rank"], end["call"], end["as"]) for pair in report["types"]
                          for end in (pair["sent"], pair["received"])], kinds)
        self.assertEqual([pair["count"] for pair in report["types"]], [3, 1])
        # Its collectives are in one line each.
        self.assertEqual([[(end["rank"], end["call"], end["as"]) for end in (pair["sent"], pair["received"])]
                          for pair in report["collective_types"]],
                         [[kind(sender, call, comment, "MPI_INT"), kind(receiver, call, comment, "MPI_FLOAT")]
                          for sender, receiver, call, comment in [(1, 0, "MPI_Gather", "gathered"),
                                                                  (0, 1, "MPI_Bcast", "broadcast"),
                                                                  (0, 1, "MPI_Alltoall", "all to all")]])
        # Both are all-gathers.
        self.assertEqual([[part["call"] for part in pair] for pair in report["collectives"]],
                         [[kind(0, "MPI_Allgather", "equal parts", "")[1], kind(1, "MPI_Allgatherv", "any parts", "")[1]]])
        self.assertEqual(report["findings"], 6)
        # The same of a recording.
        subprocess.run([EARL, "record", "-o", "r", "-n", "2", MISTYPED], check=True,
                       capture_output=True, timeout=100, cwd=self.folder.name)
        ended = self.check("r")
        self.assertEqual(ended.returncode, 1, ended)
        text = ended.stdout
        self.assertRegex(text, rf"""
types do not match: .*
  sent as MPI_INT: rank 0, event 3: {kinds[0][1]}: message 0 to rank 1 \(tag 5, 8 bytes\)
  received as MPI_DOUBLE: rank 1, event 3: {kinds[1][1]} \(source 0, tag 5\)
  2 messages more like it
""")
        self.assertRegex(text, rf"""
types do not match: members of a collective must pass elements of the same types
  sent as MPI_INT: rank 0, event \d+: MPI_Bcast at {line("broadcast", MISTYPED_SOURCE)}: broadcast, root 0
  received as MPI_FLOAT: rank 1, event \d+: MPI_Bcast at {line("broadcast", MISTYPED_SOURCE)}: broadcast, root 0
""")
        self.assertEqual(self.check("--ignore=types", "--ignore=collectives", "r").returncode, 0)

    def test_messages_that_are_unpacked_as_other_types(self):
        ended = self.check("--json", "-n", "2", MISPACKED)
        self.assertEqual(ended.returncode, 1, ended)
        report = json.loads(ended.stdout)
        self.assertEqual([(end["rank"], end["call"], end["as"]) for pair in report["types"]
                          for end in (pair["sent"], pair["received"])],
                         [(rank, f"{call} at {line(comment, MISPACKED_SOURCE)}", types) for rank, call, comment, types in [
                             (0, "pvm_send", "sent word", "int"), (1, "pvm_recv", "received word", "float"),
                             (0, "pvm_send", "sent mixture", "double"), (1, "pvm_recv", "received mixture", "long")]])
        self.assertEqual(report["findings"], 2)

    def test_reports_name_communicators(self):
        # The program names its communicator after its messages.
        ended = self.check("--json", "-n", "3", NAMED)
        self.assertEqual(ended.returncode, 1, ended)
        report = json.loads(ended.stdout)
        (race,) = report["races"]
        self.assertEqual(race["asked"], "any source, tag 5, communicator grid")
        (receive,) = report["receives"]
        self.assertEqual(receive["asked"], "any source, tag 9, communicator grid")
        (lost,) = report["unreceived"]
        self.assertEqual((lost["tag"], lost["context"]), (7, "communicator grid"))
        (parts,) = report["collectives"]
        self.assertEqual({part["context"] for part in parts}, {"communicator grid"})
        text = self.check("earl-recordings/latest").stdout
        self.assertRegex(text, rf"never received: .*MPI_Send at {line('lost message', NAMED_SOURCE)}: "
                               r"message 0 to rank 2 \(tag 7, communicator grid, 4 bytes\)")
        self.assertRegex(text, rf"race 1 \(frontier\): rank 0, event \d+: MPI_Recv at {line('racing receive', NAMED_SOURCE)} "
                               r"\(any source, tag 5, communicator grid\)")
        self.assertRegex(text, rf"MPI_Bcast at {line('broadcast', NAMED_SOURCE)}: broadcast, root 1, communicator grid")
        self.assertNotIn("context", text)

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "fibers are not sanitized")
    def test_a_run_alone_warns_of_collectives_that_do_not_match(self):
        # A debugger has them made of messages.
        ended = subprocess.run([EARL, "run", "--on", "fibers", "--tool", "empty", "-n", "3", MISMATCHED], timeout=100,
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("earl: collectives do not match: rank 1 has received no part of a broadcast, root 0, 4 bytes, "
                      "that rank 0 sent it; ", ended.stderr)

    def test_a_terminal_shows_the_report_of_a_deadlock_once(self):
        with open(os.path.join(self.folder.name, "shown"), "w+", encoding="utf-8") as shown:
            code = subprocess.run([EARL, "check", "-n", "3", WRONG, "stuck"], stdin=subprocess.DEVNULL,
                                  stdout=shown, stderr=shown, timeout=100, check=False,
                                  cwd=self.folder.name).returncode
            shown.seek(0)
            text = shown.read()
        self.assertEqual((code, text.count("deadlock: ranks 0-2 wait")), (1, 1), text)
        self.assertIn("\ndeadlock: the report is above\n", text)

    def test_an_exit_code(self):
        report, parts = self.found("code")
        self.assertEqual((parts, report["exit_code"]), ([], 3))

    def test_a_recording_is_as_good_as_a_run(self):
        subprocess.run([EARL, "record", "-o", "r", "-n", "3", WRONG, "ring"], check=True,
                       capture_output=True, timeout=100, cwd=self.folder.name)
        ended = self.check("r")
        self.assertEqual(ended.returncode, 1, ended)
        self.assertIn("hazard: a deadlock if sends waited for their receivers:\n"
                      "  rank 0, event ", ended.stdout)
        self.assertIn(f"csend at {line('ring send')} waits for rank 1 to receive", ended.stdout)
        self.assertRegex(ended.stdout.splitlines()[-1], ": 1 finding$")

    def test_mistakes(self):
        for words, code, sentence in [
                (["--ignore", "all", "-n", "3", WRONG, "ring"], 2, "--ignore all: races, hazards"),
                (["--dry-run", WRONG], 2, "earl run --dry-run"),
                ([], 2, "no recording is named"),
                (["./missing"], 1, "missing")]:
            with self.subTest(words):
                ended = self.check(*words)
                self.assertIn(sentence, ended.stderr)
                self.assertIn(ended.returncode, (code, 127), ended)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
