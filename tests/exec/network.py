# SPDX-License-Identifier: BSD-3-Clause
"""Hosts for tests: network, UTS and mount namespaces, joined by a bridge in one more, where EXEC runs.

They know each other's names, share all files but those in /run, and have a folder of their own each.
None has a name outside: each lasts as long as a process that keeps it, and that ends with the test's
process, however that ends."""

import ctypes
import os
import signal
import subprocess
import sys

from job import wait_until

KEEP = 900  # seconds; longer than any test
NAMES = ("a", "b", "c")
PR_SET_PDEATHSIG = 1
ADDRESSES = {"exec": "10.77.0.1", "a": "10.77.0.2", "b": "10.77.0.3", "c": "10.77.0.4"}
EXEC_ADDRESS = ADDRESSES["exec"]
UNUSED_CARD = "02:00:00:00:00:99"  # no host's card
BRIDGE = "02:00:00:00:00:01"
# Directories that only one host sees.
OWN_FOLDER = "/run/own"
SETTLE = " && ".join((
    'echo "$0" > /proc/sys/kernel/hostname', "ip link set lo up", "mount -t tmpfs run /run",
    f"mkdir {OWN_FOLDER} /run/sshd", 'echo "$1" > /run/hosts', "mount --bind /run/hosts /etc/hosts",
    f"echo ready && exec sleep {KEEP}"))
# No process listens there: a refusal proves that the host was reached.
REFUSED = ("import errno, socket, sys; s = socket.socket(); s.settimeout(2); "
           f"sys.exit(s.connect_ex(('{EXEC_ADDRESS}', 9)) != errno.ECONNREFUSED)")


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Refused(Exception):
    """This system gives no namespaces."""


class Host:
    def __init__(self, name):
        names = "127.0.0.1 localhost\n" + "".join(f"{at} {host}\n" for host, at in ADDRESSES.items())
        self.name = name
        self.process = subprocess.Popen(
            ["unshare", "--net", "--uts", "--mount", "sh", "-c", SETTLE, name, names], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=die_with_parent)
        if self.process.stdout.readline() != b"ready\n":
            why = self.process.stderr.read().decode().strip()
            self.close()
            raise Refused(why)

    @property
    def pid(self):
        return self.process.pid

    def inside(self, *words):
        return [*self.entrance(), f"--wdns={os.getcwd()}", *words]

    def entrance(self):
        return ["nsenter", "-t", str(self.pid), "--net", "--uts", "--mount"]

    def run(self, *words):
        subprocess.run(self.inside(*words), check=True, timeout=30, capture_output=True)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


class Network:
    """Hosts a, b and c, and the one where EXEC runs."""

    def __init__(self):
        self.hosts = {}
        try:
            self.exec_host = Host("exec")
            # With its own, it would have the least of its cables' and change when one goes.
            self.exec_host.run("ip", "link", "add", "bridge", "address", BRIDGE, "type", "bridge")
            self.exec_host.run("ip", "address", "add", f"{EXEC_ADDRESS}/24", "dev", "bridge")
            self.exec_host.run("ip", "link", "set", "bridge", "up")
            for name in NAMES:
                self.join(name, ADDRESSES[name])
            for name in NAMES:
                wait_until(lambda: self.reaches_exec(name), f"host {name} is there")
        except subprocess.CalledProcessError as error:
            self.close()
            raise Refused(error.stderr.decode().strip()) from error
        except Refused:
            self.close()
            raise

    def join(self, name, address):
        host = self.hosts[name] = Host(name)
        self.exec_host.run("ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0",
                           "netns", str(host.pid))
        self.exec_host.run("ip", "link", "set", f"to-{name}", "master", "bridge", "up")
        host.run("ip", "address", "add", f"{address}/24", "dev", "eth0")
        host.run("ip", "link", "set", "eth0", "up")

    def cut(self, name):
        self.exec_host.run("ip", "link", "set", f"to-{name}", "down")

    def silence(self, name):
        """Packets from and to the host are lost: its own cable is there all the time."""
        self.exec_host.run("ip", "link", "set", f"to-{name}", "nomaster")

    def part(self, one, other):
        """They lose each other's packets, and reach all others."""
        for here, there in ((one, other), (other, one)):
            self.hosts[here].run("ip", "neighbour", "replace", ADDRESSES[there], "lladdr", UNUSED_CARD, "nud", "permanent",
                                 "dev", "eth0")

    def join_again(self, one, other):
        for here, there in ((one, other), (other, one)):
            self.hosts[here].run("ip", "neighbour", "del", ADDRESSES[there], "dev", "eth0")

    def mend(self, name):
        """Comes back when the host reaches EXEC's again: the system finds out at its own time."""
        self.exec_host.run("ip", "link", "set", f"to-{name}", "master", "bridge", "up")
        wait_until(lambda: self.reaches_exec(name), f"host {name} is back")

    def reaches_exec(self, name):
        refused = subprocess.run(
            self.hosts[name].inside(sys.executable, "-c", REFUSED), timeout=30, check=False)
        return refused.returncode == 0

    def launcher(self, path):
        """Writes a launcher for these hosts; gives its words for --launcher."""
        cases = "".join(f"{name}) pid={host.pid} ;;\n" for name, host in self.hosts.items())
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nhost=$1; shift\ncase $host in\n" + cases +
                       '*) echo "launcher: no host $host" >&2; exit 9 ;;\nesac\n'
                       'exec nsenter -t $pid --net --uts --mount --wdns="$PWD" "$@"\n')
        return f"sh {path} %h"

    def close(self):
        for host in [*self.hosts.values(), getattr(self, "exec_host", None)]:
            if host:
                host.close()


def network_or_skip():
    """Ends the test's process with 77 where there are no namespaces."""
    try:
        return Network()
    except (Refused, FileNotFoundError) as why:
        print(f"no namespaces for hosts here: {why}")
        sys.exit(77)
