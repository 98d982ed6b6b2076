"""A SLURM of one node on the loopback interface, started and stopped by the tests: root and Debian's slurm-wlm."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

CONFIGURATION = Path("/etc/slurm/slurm.conf")
"""Jobs do not inherit SLURM_CONF, so the file must stand where SLURM looks by itself."""
SIGN = "# Written by the tests of marginfs\n"
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo", "munged")
TEMPLATE = """ClusterName=marginfs
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2
ReturnToService=2
MinJobAge=86400
KillWait=5
SlurmdParameters=config_overrides
NodeName=localhost NodeAddr=127.0.0.1 CPUs=4 RealMemory=16000 State=UNKNOWN
PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=500
"""


def why_not() -> str:
    """Why there can be no SLURM here; empty where there can."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        return f"no {', '.join(missing)}: apt-get install slurm-wlm munge"
    if os.geteuid() != 0:
        return "SLURM needs root to start"
    if CONFIGURATION.exists() and not CONFIGURATION.read_text().startswith(SIGN):
        return f"{CONFIGURATION} is not ours"
    return ""


@contextlib.contextmanager
def slurm(folder: Path) -> Iterator[None]:
    """A running SLURM; every process that is started here is stopped here."""
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    CONFIGURATION.parent.mkdir(exist_ok=True)
    CONFIGURATION.write_text(SIGN + TEMPLATE.format(folder=folder))
    with contextlib.ExitStack() as stack:
        if subprocess.run(["munge", "--no-input"], capture_output=True).returncode:
            Path("/run/munge").mkdir(exist_ok=True)
            shutil.chown("/run/munge", "munge", "munge")
            stack.enter_context(_running("runuser", "-u", "munge", "--", "munged", "--foreground"))
            time.sleep(1)
        stack.enter_context(_running("slurmctld", "-D"))
        stack.enter_context(_running("slurmd", "-D", "-N", "localhost"))
        stack.callback(CONFIGURATION.unlink)
        deadline = time.monotonic() + 60
        while "idle" not in subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, text=True).stdout:
            assert time.monotonic() < deadline, (folder / "slurmctld.log").read_text()[-2000:]
            time.sleep(0.5)
        yield


@contextlib.contextmanager
def _running(*command: str) -> Iterator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
