#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The page of `earl view`, used in a browser without a display; skipped where there is no Chromium.

usage: page.py EARL RACING
"""
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import unittest

EARL, RACING = sys.argv[1:3]
CHROMIUM = shutil.which("chromium")
ANSWER_LIMIT = 60  # seconds


class Browser:
    """Chromium, through the pipes of its DevTools protocol: 3 for requests, 4 for answers, each ends with a zero byte."""

    def __init__(self, folder):
        theirs, self.requests = os.pipe()
        self.answers, back = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (theirs, back)]
        os.close(theirs)
        os.close(back)

        def place_pipes():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(  # pylint: disable=consider-using-with,subprocess-popen-preexec-fn
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--window-size=1400,900", f"--user-data-dir={folder}",
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=place_pipes, pass_fds=(3, 4, *ends), env={**os.environ, "HOME": folder, "TMPDIR": os.path.dirname(folder)},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in ends:
            os.close(end)
        self.bytes, self.last, self.session, self.thrown = b"", 0, {}, []
        targets = self.ask("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self.session = {"sessionId": self.ask("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]}
        self.ask("Runtime.enable")

    def ask(self, method, **params):
        self.last += 1
        os.write(self.requests, json.dumps({"id": self.last, "method": method, "params": params, **self.session}).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.thrown.append(answer["params"])
            if answer.get("id") == self.last:
                assert "error" not in answer, answer
                return answer["result"]

    def read(self):
        while b"\0" not in self.bytes:
            if not select.select([self.answers], [], [], ANSWER_LIMIT)[0]:
                raise TimeoutError("Chromium does not answer")
            read = os.read(self.answers, 1 << 16)
            if not read:
                raise EOFError("Chromium has ended")
            self.bytes += read
        answer, _, self.bytes = self.bytes.partition(b"\0")
        return json.loads(answer)

    def run(self, script):
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def close(self):
        try:
            self.session = {}
            self.ask("Browser.close")
            self.process.wait(timeout=ANSWER_LIMIT)
        except (OSError, EOFError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.requests)
        os.close(self.answers)


@unittest.skipUnless(CHROMIUM, "there is no chromium")
class Page(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(self.folder.cleanup)

    def earl(self, *words, code=0):
        ended = subprocess.run([EARL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100,
                               check=False)
        self.assertEqual(ended.returncode, code, ended.stderr)
        return ended.stdout.strip()

    def recorded(self, mode, code=0, ranks=3):
        recording = os.path.join(self.folder.name, f"{mode}-{ranks}")
        self.earl("record", "-o", recording, "-n", str(ranks), RACING, mode, code=code)
        return recording

    def flipped(self, recording):
        """The events of a run in which its race has the other outcome."""
        (race,) = json.loads(self.earl("races", "--json", "--all", recording))["races"]
        (other,) = race["others"]
        events = os.path.join(self.folder.name, "flipped")
        path = f"{race['rank']}:{race['receive']}={other['rank']}#{other['message']}"
        self.earl("replay", "--path", path, "--tool", "events=" + events, recording)
        return events

    def browser(self):
        browser = Browser(os.path.join(self.folder.name, "profile"))
        self.addCleanup(browser.close)
        return browser

    def shown(self, page, browser=None):
        browser = browser or self.browser()
        browser.ask("Page.navigate", url="file://" + page)
        browser.run("new Promise(done => document.readyState === 'complete' ? done() : window.onload = () => done())")
        return browser

    def opened(self, mode, code):
        return self.shown(self.earl("view", self.recorded(mode, code)))

    @staticmethod
    def click(browser, place):
        """`place` is an expression for a point of the picture."""
        x, y = browser.run(f"(() => {{ const area = canvas.getBoundingClientRect(), [x, y] = {place};"
                           "return [area.x + x, area.y + y]; })()")
        for kind in "mousePressed", "mouseReleased":
            browser.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def test_a_race_is_found_searched_for_and_clicked(self):
        browser = self.opened("pair", 0)
        self.assertEqual(browser.run("document.getElementById('counts').textContent"), "3 ranks, 2 messages, 1 races")
        browser.run("const box = document.getElementById('search'); box.value = 'rank 2';"
                    "box.dispatchEvent(new Event('input'))")
        self.assertEqual(browser.run("document.getElementById('found').textContent"), "1 found; Enter: the next")
        browser.run("document.getElementById('next-race').click()")
        got = browser.run("chosen")
        self.assertEqual(got, browser.run("raceField(0, 'got')"))
        browser.run("choose(-1, false)")
        self.click(browser, "[xOf(field(raceField(0, 'got'), 'received')) - 1, yOf(0)]")
        self.assertEqual(browser.run("chosen"), got)
        self.assertIn("race 1", browser.run("panel.innerText"))
        self.assertIn("earl flip", browser.run("panel.innerText"))
        self.assertEqual(browser.thrown, [])

    def test_density_shows_what_is_searched_for(self):
        browser = self.opened("pair", 0)
        blue = ("(() => { pen.clearRect(0, 0, width(), height()); drawDensity();"
                "const dots = pen.getImageData(0, 0, canvas.width, canvas.height).data; let seen = 0;"
                "for (let i = 3; i < dots.length; i += 4) seen += dots[i] > 0; return seen; })()")
        self.assertGreater(browser.run(blue), 0)
        browser.run("search('there is no such call')")
        self.assertEqual(browser.run(blue), 0)
        self.assertEqual(browser.thrown, [])

    def test_a_deadlock_is_on_the_page(self):
        browser = self.opened("stuck", 86)
        self.assertIn("the run ended in a deadlock", browser.run("panel.innerText"))
        self.assertIn("waits for any process", browser.run("panel.innerText"))
        self.assertEqual(browser.thrown, [])

    def test_the_cycle_of_a_deadlock_is_red(self):
        browser = self.shown(self.earl("view", self.recorded("circle", 86, 6)))
        self.assertEqual(browser.run("[...inCycle[0]]"), [0, 1, 2])
        red = ("(() => { pen.clearRect(0, 0, width(), height()); drawWaits();"
               "const dots = pen.getImageData(0, 0, canvas.width, canvas.height).data, shades = new Set();"
               "for (let i = 0; i < dots.length; i += 4)"
               "  if (dots[i + 3] === 255) shades.add([dots[i], dots[i + 1], dots[i + 2]].join());"
               "return [...shades]; })()")
        self.assertLessEqual({"198,40,40", "178,106,0"}, set(browser.run(red)))
        panel = browser.run("panel.innerText")
        self.assertRegex(panel, r"rank 3, event \d+: crecvx at racing\.c:\d+ \(source 0, tag 1\)\s+waits for rank 0\n")
        self.assertRegex(panel, r"rank 5, event .*\s+waits for any process\n")
        browser.run("scale = 80; left = 0; bound(); draw()")
        browser.run("[...panel.querySelectorAll('a')].find(link => link.textContent === 'rank 1').click()")
        self.assertEqual(browser.run("lookedAt"), {"run": 0, "rank": 1})
        self.assertTrue(browser.run("xOf(columnCount) < width()"))
        browser.run("draw()")
        self.assertEqual(browser.thrown, [])

    def test_equal_ranks_fold_into_one_lane(self):
        browser = self.shown(self.earl("view", self.recorded("circle", 86, 6)))
        labels = "rows.map(row => row.label)"
        ranks = [f"rank {rank}" for rank in range(6)]
        self.assertEqual(browser.run(labels), ranks)
        self.assertFalse(browser.run("document.getElementById('fold').hidden"))
        browser.run("document.getElementById('fold').click()")
        self.assertEqual(browser.run(labels), ["ranks 0-2", "ranks 3, 4", "rank 5"])
        # An arrow between ranks of one lane, then the label.
        self.click(browser, "[xOf((field(0, 'sent') + field(0, 'received')) / 2),"
                            " yOf(0) - bowOf((field(0, 'received') - field(0, 'sent')) * scale)]")
        self.assertIn("message 0 of rank", browser.run("panel.innerText"))
        browser.run("drawDensity(); search('rank 3')")
        self.click(browser, "[20, yOf(0)]")
        self.assertEqual(browser.run(labels), [*ranks[:3], "ranks 3, 4", "rank 5"])
        self.click(browser, "[20, yOf(1)]")
        self.assertEqual(browser.run(labels), ["ranks 0-2", "ranks 3, 4", "rank 5"])
        browser.run("document.getElementById('fold').click()")
        self.assertEqual(browser.run(labels), ranks)
        self.assertEqual(browser.thrown, [])

    def test_many_equal_ranks_are_folded_at_first(self):
        browser = self.shown(self.earl("view", self.recorded("pair", 0, 41)))
        self.assertEqual(browser.run("rows.map(row => row.label)"), ["rank 0", "rank 1", "rank 2", "ranks 3-40"])
        self.assertEqual(browser.run("document.getElementById('fold').textContent"), "unfold equal ranks")
        self.assertEqual(browser.run("ranksText([1, 3, 5, 6, 7, 9, 11, 12])"), "ranks 1, 3, 5-7, 9, ... (8)")
        self.assertEqual(browser.run("ranksText([1, 2, 4])"), "ranks 1, 2, 4")
        browser.run("nextRace(); draw()")
        self.assertEqual(browser.thrown, [])

    def test_equal_ranks_of_two_runs_fold(self):
        one = self.recorded("pair", 0, 5)
        browser = self.shown(self.earl("view", one, self.flipped(one)))
        browser.run("foldRanks(true)")
        self.assertEqual(browser.run("rows.map(row => row.label)"),
                         ["rank 0 A", "rank 0 B", "rank 1, alike", "rank 2, alike", "ranks 3, 4, alike"])
        self.assertEqual(browser.thrown, [])

    def test_two_runs_are_shown_from_their_first_difference_on(self):
        one = self.recorded("pair")
        other = self.flipped(one)
        browser = self.shown(self.earl("view", one, other))
        self.assertEqual(browser.run("[...document.getElementById('title').children].map(part => part.textContent)"),
                         [f"A: {one}", f"B: {other}"])
        self.assertIn("1 rank differs", browser.run("document.getElementById('counts').textContent"))
        self.assertEqual(browser.run("rows.map(row => row.label)"), ["rank 0 A", "rank 0 B", "rank 1, alike", "rank 2, alike"])
        panel = browser.run("panel.innerText")
        self.assertIn("rank 0 differs first", panel)
        self.assertIn(f"timing decided: it is race 1 of `earl races {one}`", panel)
        self.assertTrue(browser.run("differences[0].a.column >= left && differences[0].a.column <= lastColumn()"))
        browser.run("document.getElementById('next-difference').click()")
        self.assertEqual(browser.run("difference"), 0)
        self.click(browser, "[xOf(differences[0].b.column) - 1, yAt(1, 0)]")
        self.assertEqual(browser.run("runOf(chosen)"), 1)
        panel = browser.run("panel.innerText")
        self.assertIn(f"B: {other}; it differs", panel)
        self.assertRegex(panel, rf"earl replay --until 0@\d+ --gdb {other}\n")
        browser.run("search('rank 2')")
        self.assertEqual(browser.run("hits.size"), 2)
        browser.run("drawDensity()")
        self.assertEqual(browser.thrown, [])

    def test_two_runs_that_are_alike_say_so(self):
        recording = self.recorded("pair")
        browser = self.shown(self.earl("view", recording, recording))
        self.assertIn("are alike: 3 ranks and 4 steps", browser.run("panel.innerText"))
        self.assertEqual(browser.run("rows.map(row => row.label)"), [f"rank {rank}, alike" for rank in range(3)])
        self.assertEqual(browser.run("bySend.length"), 2)
        self.assertTrue(browser.run("document.getElementById('next-difference').hidden"))
        self.assertEqual(browser.thrown, [])

    def test_runs_of_other_sizes_and_ends_are_shown(self):
        three, four = self.recorded("pair"), self.recorded("relay", 0, 4)
        stuck = self.recorded("stuck", 86)
        browser = self.browser()
        for one, other in (three, four), (four, three), (three, stuck):
            self.shown(self.earl("view", one, other), browser)
            self.assertGreater(browser.run("differences.length"), 0)
            browser.run("for (let i = 0; i < differences.length + 1; ++i) nextDifference()")
            browser.run("for (let i = 0; i < count; ++i) choose(i, true)")
            browser.run("showWhole(); draw()")
            self.assertEqual(browser.thrown, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
