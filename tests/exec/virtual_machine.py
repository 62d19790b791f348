# SPDX-License-Identifier: BSD-3-Clause
"""A PVM virtual machine over the hosts of `network`: a daemon on EXEC's host, and those that were
added to it as a user adds them, by a command that runs words on a host."""

import contextlib
import os
import signal
import subprocess
import tempfile
import time

from job import LIMIT, default_signals
from network import EXEC_ADDRESS

END_TIMEOUT = 5  # seconds for a daemon that has been asked to end
ADDRESSES = {"a": "10.77.0.2", "b": "10.77.0.3", "c": "10.77.0.4"}


class VirtualMachine:
    """Hosts are called by their addresses: names would have to be known to the system."""

    def __init__(self, network, hosts="ab"):
        self.network = network
        self.place = tempfile.TemporaryDirectory(prefix="earl-vm-")
        self.shell = self.write_shell()
        self.env = {**os.environ, "PVM_TMP": self.folder(EXEC_ADDRESS), "PVM_ALLOW_ROOT": "1",
                    "PVM_RSH": self.shell, "EARL_PVM": "join"}
        # With native PVM all is the system's, with its own libpvm3.
        for name in ("PVMSOCK", "LD_LIBRARY_PATH"):
            self.env.pop(name, None)
        self.daemon = subprocess.Popen(
            network.exec_host.inside("pvmd", f"-n{EXEC_ADDRESS}"), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.env,
            preexec_fn=default_signals)
        self.daemon.stdout.readline()  # it is ready
        try:
            self.add([ADDRESSES[host] for host in hosts])
        except BaseException:
            self.close()
            raise

    def add(self, addresses):
        said = self.console("add " + " ".join(addresses))
        assert f"{len(addresses)} successful" in said, said

    def folder(self, address):
        path = os.path.join(self.place.name, address)
        os.makedirs(path, exist_ok=True)
        return path

    def write_shell(self):
        """For PVM (host, -n, one string of words) and for Earl (host, words)."""
        hosts = {EXEC_ADDRESS: self.network.exec_host,
                 **{ADDRESSES[name]: host for name, host in self.network.hosts.items()}}
        cases = "".join(f"{address}) pid={host.pid} PVM_TMP={self.folder(address)} ;;\n"
                        for address, host in hosts.items())
        path = os.path.join(self.place.name, "shell")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nhost=$1; shift\ncase $host in\n" + cases +
                       '*) echo "no host $host" >&2; exit 9 ;;\nesac\n'
                       '[ "$1" = -n ] && shift\nexport PVM_TMP\n'
                       'exec nsenter -t $pid --net --uts sh -c "$*"\n')
        os.chmod(path, 0o700)
        return path

    def console(self, words):
        return subprocess.run(
            self.network.exec_host.inside("pvm"), input=f"{words}\nquit\n", env=self.env, text=True,
            stdout=subprocess.PIPE, timeout=LIMIT, check=True).stdout

    def daemon_of(self, host):
        """The process that is the daemon there."""
        there = os.readlink(f"/proc/{self.network.hosts[host].pid}/ns/net")
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{name}/ns/net") == there and \
                        os.readlink(f"/proc/{name}/exe").endswith("/pvmd"):
                    return int(name)
            except OSError:
                pass
        return None

    def end(self, host):
        """The first daemon has asked the others to end, but not for sure."""
        deadline = time.monotonic() + END_TIMEOUT
        while pid := self.daemon_of(host):
            if time.monotonic() > deadline:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.005)

    def close(self):
        self.daemon.terminate()
        self.daemon.wait(LIMIT)
        self.daemon.stdout.close()
        for host in self.network.hosts:
            self.end(host)
        self.place.cleanup()
