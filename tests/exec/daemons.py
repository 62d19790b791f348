# SPDX-License-Identifier: BSD-3-Clause
"""The daemons of launchers on the hosts of a test: sshd with keys of the test's own, and a whole Slurm.

Each runs in a process namespace, so that all it has started ends with it, and it ends with the test."""

import os
import shutil
import signal
import subprocess

from job import wait_until
from network import ADDRESSES, NAMES, die_with_parent

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:" + os.environ.get("PATH", ""))
SSH_PORT = 2222
ALONE = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--mount")
# For any users of this machine: root has a shell, may log in, and has no files.
SSHD_ALONE = ('mount --bind "$0/passwd" /etc/passwd && mount --bind "$0/shadow" /etc/shadow && '
              'mount -t tmpfs home /root && exec "$@"')


def write(path, text, mode=0o600):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


class Daemons:
    """Processes on hosts; their output goes into a file for failure reports."""

    def __init__(self, place):
        self.place = place
        self.running = []

    def start(self, host, *words, **options):
        with open(os.path.join(self.place, "daemons.log"), "ab") as log:
            self.running.append(subprocess.Popen(
                host.inside(*ALONE, *words), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                preexec_fn=die_with_parent, **options))

    def said(self):
        with open(os.path.join(self.place, "daemons.log"), encoding="utf-8", errors="replace") as log:
            return log.read()

    def close(self):
        for process in self.running:
            process.send_signal(signal.SIGKILL)
        for process in self.running:
            process.wait()


class Ssh(Daemons):
    """sshd on each host, and how to be let in."""

    def __init__(self, network, place):
        super().__init__(place)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{place}/{name}"],
                           check=True, timeout=30)
        with open(f"{place}/host.pub", encoding="utf-8") as file:
            key = file.read()
        write(f"{place}/known", "".join(f"[{name}]:{SSH_PORT} {key}" for name in NAMES))
        with open("/etc/passwd", encoding="utf-8") as file:
            others = [line for line in file if not line.startswith("root:")]
        write(f"{place}/passwd", "root:x:0:0:root:/root:/bin/sh\n" + "".join(others), 0o644)
        write(f"{place}/shadow", "root:*:19000:0:99999:7:::\n")
        write(f"{place}/sshd", f"Port {SSH_PORT}\nHostKey {place}/host\nStrictModes no\nUsePAM no\n"
              f"AuthorizedKeysFile {place}/user.pub\nPidFile none\nPermitRootLogin yes\n"
              "PasswordAuthentication no\nPrintMotd no\nPrintLastLog no\nAcceptEnv TEST_MARK\n")
        write(f"{place}/client", f"Host *\nPort {SSH_PORT}\nIdentityFile {place}/user\n"
              f"IdentitiesOnly yes\nUserKnownHostsFile {place}/known\nGlobalKnownHostsFile none\n"
              "StrictHostKeyChecking yes\nBatchMode yes\nSendEnv TEST_MARK\nLogLevel ERROR\n")
        self.command = f"ssh -F {place}/client"
        # For those that want one word.
        self.script = write(f"{place}/rsh", f'#!/bin/sh\nexec {self.command} "$@"\n', 0o755)
        for name in NAMES:
            self.start(network.hosts[name], "sh", "-c", SSHD_ALONE, place, SSHD, "-D", "-e", "-f",
                       f"{place}/sshd")
        for name in NAMES:
            wait_until(lambda: subprocess.run(
                network.exec_host.inside(*self.command.split(), name, "true"), check=False,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                timeout=30).returncode == 0, f"sshd on {name}")


class Slurm(Daemons):
    """A cluster of three nodes, two CPUs each; EXEC's host is where jobs are submitted."""

    def __init__(self, network, place):
        super().__init__(place)
        os.chmod(place, 0o711)  # munge requires that all users can reach its socket
        with open(os.open(f"{place}/key", os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(os.urandom(64))
        settings = {
            "ClusterName": "tests", "SlurmctldHost": f"exec({ADDRESSES['exec']})",
            "SlurmUser": "root", "SlurmdUser": "root", "AuthType": "auth/munge",
            "AuthInfo": f"socket={place}/munge", "StateSaveLocation": f"{place}/state",
            "SlurmdSpoolDir": f"{place}/spool-%n", "SlurmctldPidFile": f"{place}/slurmctld.pid",
            "SlurmdPidFile": f"{place}/slurmd-%n.pid", "ProctrackType": "proctrack/linuxproc",
            "TaskPlugin": "task/none", "MpiDefault": "none", "SelectType": "select/cons_tres",
            "JobAcctGatherType": "jobacct_gather/none", "SelectTypeParameters": "CR_CPU",
            "SchedulerType": "sched/builtin", "ReturnToService": "2", "MailProg": "/bin/true",
            "SlurmdParameters": "config_overrides"}
        config = write(f"{place}/slurm.conf", "".join(f"{key}={value}\n" for key, value in settings.items()) +
                       "NodeName=a,b,c CPUs=2 State=UNKNOWN\nPartitionName=all Nodes=ALL Default=YES State=UP\n",
                       0o644)
        for name in ("state", *(f"spool-{name}" for name in NAMES)):
            os.mkdir(f"{place}/{name}")
        self.variables = {"SLURM_CONF": config}
        environment = {**os.environ, **self.variables}
        self.start(network.exec_host, "munged", "--foreground", "--key-file", f"{place}/key", "--socket",
                   f"{place}/munge", "--pid-file", f"{place}/munge.pid", "--log-file",
                   f"{place}/munge.log", "--seed-file", f"{place}/seed")
        wait_until(lambda: os.path.exists(f"{place}/munge"), "munged")
        self.start(network.exec_host, "slurmctld", "-D", env=environment)
        for name in NAMES:
            self.start(network.hosts[name], "slurmd", "-D", "-N", name, env=environment)
        wait_until(lambda: subprocess.run(
            network.exec_host.inside("sinfo", "-h", "-o", "%D %t"), env=environment, check=False,
            capture_output=True, timeout=60).stdout == b"3 idle\n", "all nodes of Slurm")
