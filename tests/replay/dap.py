#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`earl debug --dap`, driven by a client as an editor has one.

usage: dap.py EARL WRONG wrong.c SANITIZERS
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from sources import line_in

EARL, WRONG, SOURCE = (os.path.abspath(path) for path in sys.argv[1:4])
SANITIZED = sys.argv[4] != "none"
LIMIT = 100


def line(comment):
    return line_in(SOURCE, comment)


class Client:
    """One editor's side of a session."""

    def __init__(self, folder, *words):
        self.adapter = subprocess.Popen([EARL, "debug", "--dap", *words], stdin=subprocess.PIPE, cwd=folder,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.sent = 0
        self.events = []
        self.said = ""

    def request(self, command, **arguments):
        """The response; events before it and behind it are kept."""
        self.sent += 1
        self.put(json.dumps({"seq": self.sent, "type": "request", "command": command, "arguments": arguments}))
        while True:
            message = self.next()
            if message["type"] == "response":
                assert message["request_seq"] == self.sent and message["command"] == command, message
                return message
            self.events.append(message)

    def body(self, command, **arguments):
        response = self.request(command, **arguments)
        assert response["success"], response
        return response["body"]

    def put(self, text):
        body = text.encode()
        self.adapter.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.adapter.stdin.flush()

    def next(self):
        length = None
        while (header := self.adapter.stdout.readline()) not in (b"\r\n", b""):
            name, value = header.decode().split(": ")
            length = int(value) if name == "Content-Length" else length
        assert length is not None, self.adapter.stderr.read()
        return json.loads(self.adapter.stdout.read(length))

    def stop(self):
        """The next stop of the run."""
        while True:
            event = self.events.pop(0) if self.events else self.next()
            assert event["type"] == "event", event
            if event["event"] == "output":
                self.said += event["body"]["output"]
            if event["event"] == "stopped":
                return event["body"]

    def end(self):
        """Exit status and standard error."""
        _, errors = self.adapter.communicate(timeout=LIMIT)
        return self.adapter.returncode, errors.decode()


class Dap(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([EARL, "record", "-o", "r", "-n", "3", WRONG, "race"], check=True, capture_output=True,
                       timeout=LIMIT, cwd=cls.folder.name, stdin=subprocess.DEVNULL)

    def client(self, *words):
        client = Client(self.folder.name, *words)
        self.addCleanup(client.adapter.wait, LIMIT)
        self.addCleanup(client.adapter.stderr.close)
        self.addCleanup(client.adapter.stdout.close)
        self.addCleanup(client.adapter.stdin.close)
        return client

    def launched(self, **options):
        client = self.client()
        self.assertTrue(client.body("initialize", adapterID="earl")["supportsStepBack"])
        client.body("launch", **{"recording": "r", "sources": [os.path.dirname(SOURCE)], **options})
        while not any(event["event"] == "initialized" for event in client.events):
            client.events.append(client.next())
        return client

    def frame(self, client, rank):
        (frame,) = client.body("stackTrace", threadId=rank + 1)["stackFrames"]
        return frame

    def test_steps_in_both_directions(self):
        client = self.launched()
        client.body("configurationDone")
        self.assertEqual(client.stop()["reason"], "entry")
        threads = client.body("threads")["threads"]
        self.assertEqual([thread["name"] for thread in threads], ["rank 0", "rank 1", "rank 2"])
        before = self.frame(client, 0)
        self.assertEqual((before["line"], before["source"]["path"]), (line("racing receive"), SOURCE))
        client.body("next", threadId=1)
        self.assertEqual(client.stop()["threadId"], 1)
        self.assertEqual(self.frame(client, 0)["line"], line("racing receive") + 1)
        client.body("stepBack", threadId=1)
        self.assertRegex(client.stop()["description"], r"^\[\d of 4\] ")
        self.assertEqual(self.frame(client, 0), before)
        client.body("next", threadId=1)
        client.body("next", threadId=1)
        refused = client.request("next", threadId=1)
        self.assertEqual((refused["success"], refused["message"]), (False, "cannot step: rank 0 has no further message; go back or choose another rank"))
        self.assertEqual(self.frame(client, 0)["name"], "behind its last message")
        client.body("disconnect")
        self.assertEqual(client.end()[0], 0)

    def test_a_breakpoint_is_the_first_stop(self):
        """Unless the editor asks to stop at once."""
        at = line("racing receive") + 1
        for wish, reason in ({}, "breakpoint"), ({"stopOnEntry": True}, "entry"), ({"stopOnEntry": False}, "breakpoint"):
            with self.subTest(wish):
                client = self.launched(**wish)
                client.body("setBreakpoints", source={"path": SOURCE}, breakpoints=[{"line": at}])
                client.body("configurationDone")
                self.assertEqual(client.stop()["reason"], reason)
                client.body("disconnect")
                self.assertEqual(client.end()[0], 0)
        client = self.launched(stopOnEntry=False)
        client.body("configurationDone")
        self.assertEqual(client.stop()["reason"], "pause")  # the end of the run
        self.assertIn("the end of the run: no breakpoint was on the way\n[4 of 4] ", client.said)
        client.body("disconnect")

    def test_breakpoints_and_variables(self):
        client = self.launched(stopOnEntry=True)
        lines = [line("racing receive") + 1, 1]
        set_ones = client.body("setBreakpoints", source={"path": SOURCE}, breakpoints=[{"line": n} for n in lines])
        self.assertEqual([one["verified"] for one in set_ones["breakpoints"]], [True, False])
        client.body("configurationDone")
        client.stop()
        client.body("continue", threadId=1)
        stop = client.stop()
        self.assertEqual((stop["reason"], stop["threadId"]), ("breakpoint", 1))
        self.assertNotIn("the end of the run", client.said)
        first, second, _ = client.body("scopes", frameId=1)["scopes"]
        shown = client.body("variables", variablesReference=first["variablesReference"])["variables"]
        self.assertEqual([one["name"] for one in shown], ["event", "message"])
        self.assertIn(" got message 0 of rank ", shown[1]["value"])
        queue = client.body("variables", variablesReference=second["variablesReference"])["variables"]
        self.assertLessEqual(len(queue), 1)  # the other send may be behind this place
        client.body("continue", threadId=1)
        self.assertEqual(client.stop()["reason"], "pause")  # the end of the run
        client.body("reverseContinue", threadId=1)
        self.assertEqual(client.stop()["reason"], "breakpoint")
        client.body("restart")
        self.assertTrue(client.stop()["description"].endswith("the start"))
        client.adapter.stdin.close()  # the editor has gone
        self.assertEqual(client.adapter.wait(LIMIT), 0)

    @unittest.skipUnless(shutil.which("gdb") and not SANITIZED, "no gdb here")
    def test_gdb_shows_what_a_rank_knows(self):
        subprocess.run([EARL, "record", "-o", "much", "-n", "3", WRONG, "much"], check=True, capture_output=True, timeout=LIMIT,
                       cwd=self.folder.name, input=b"5\n")
        client = self.launched(recording="much", stopOnEntry=True)
        client.body("configurationDone")
        client.stop()

        def value(name):
            scope = client.body("scopes", frameId=1)["scopes"][2]
            self.assertEqual((scope["name"], scope["expensive"]), ("Locals", True))
            shown = client.body("variables", variablesReference=scope["variablesReference"])["variables"]
            (found,) = [one["value"] for one in shown if one["name"] == name]
            self.assertEqual(client.body("evaluate", expression=name, frameId=1, context="hover")["result"], found)
            return found
        self.assertEqual((value("number"), value("sum")), ("5", "0"))  # of the recorded input
        client.body("next", threadId=1)
        client.body("next", threadId=1)  # it has sent and received, and sends in the collective
        total = value("sum")
        self.assertGreater(int(total), 0)
        self.assertRegex(client.body("evaluate", expression="frame", frameId=1, context="repl")["result"],
                         r"much \(\) at .*wrong\.c:")
        for _ in range(2):
            client.body("stepBack", threadId=1)
        self.assertEqual((value("number"), value("sum")), ("5", "0"))
        for _ in range(2):
            client.body("next", threadId=1)
        self.assertEqual(value("sum"), total)
        refused = client.request("evaluate", expression="nothing", frameId=1, context="watch")
        self.assertEqual((refused["success"], refused["message"]), (False, 'No symbol "nothing" in current context.'))
        client.body("disconnect")
        self.assertEqual(client.end()[0], 0)

    def test_what_it_does_not_know(self):
        client = self.client("r")
        for command, arguments, reason in [
                ("threads", {}, "`launch` comes first"),
                ("dance", {}, "no request dance"),
                ("launch", {"recording": "missing"}, "missing"),
                ("launch", {"recording": 7}, None),  # another type counts as none
                ("stackTrace", {"threadId": 9}, "there is no thread 9; this run has 3 ranks"),
                ("stackTrace", {"threadId": "one"}, "there is no thread 0"),
                ("variables", {"variablesReference": -1 << 63}, "there is no thread 0"),
                ("setBreakpoints", {"breakpoints": "all"}, None)]:
            with self.subTest(command):
                response = client.request(command, **arguments)
                self.assertEqual(response["success"], reason is None, response)
                if reason:
                    self.assertIn(reason, response["message"])
        client.put("[1, 2]")
        code, errors = client.end()
        self.assertEqual(code, 1)
        self.assertIn("6 bytes that are no JSON object", errors)

    def test_bytes_that_are_no_protocol(self):
        for sent, said in [(b"next\n" * 2000, "bytes without the end of a header"),
                           (b"Content-Type: x\r\n\r\n{}", "without `Content-Length: N`"),
                           (b"Content-Length: 99999999999\r\n\r\n", "at most 1048576 bytes"),
                           (b"Content-Length: 2\r\n\r\n{", None)]:  # the client has gone in the middle
            with self.subTest(sent[:20]):
                ended = subprocess.run([EARL, "debug", "--dap", "r"], input=sent, capture_output=True, timeout=LIMIT,
                                       cwd=self.folder.name, check=False)
                self.assertEqual((ended.returncode, ended.stdout), (1 if said else 0, b""))
                self.assertIn(said or "", ended.stderr.decode())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
