"""Logs: SWF, tables of tasks, and either of them gzipped."""

from __future__ import annotations

import gzip
import json
from io import BytesIO

from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.preview import preview
from shadowtime.engine.workload.reading import cases, columns, read
from shadowtime.engine.workload.sites.simgrid import read_processors
from tests.engine.workload.test_google import EVENTS, TABLE
from tests.engine.workload.test_google_2019 import ALL, PLAIN, as_csv, as_json
from tests.engine.workload.test_gpu_clusters import HELIOS, INSTANCE, PAI, PAI_HEADER, PHILLY, TASK
from tests.fuzz.examples import FOUR, instances
from tests.fuzz.target import Target

HEADED = b"""; Version: 2.2
; UnixStartTime: 1000000000
; TimeZone: 3600
; TimeZoneString: Europe/Stockholm
; MaxNodes: 100 (thin nodes)
; MaxProcs: 338
1 0 5 100.5 6 -1 512 6 200 1024 1 3 -1 -1 -1 -1 -1 -1
2 10 -1 1e2 -1 -1 -1 4 -1 -1 0 -1 -1 -1 -1 -1 -1 -1
"""

SACCT = b"""JobID|User|State|Submit|Start|End|Elapsed|Timelimit|NCPUS|ReqMem
7|ann|COMPLETED|2026-03-01T00:00:00|2026-03-01T00:01:00|2026-03-01T00:03:00|00:02:00|00:05:00|4|16G
7.batch||COMPLETED|2026-03-01T00:01:00|2026-03-01T00:01:00|2026-03-01T00:03:00|00:02:00||4|
8_1|bob|CANCELLED by 0|2026-03-01T00:00:01|2026-03-01T00:01:00|2026-03-01T00:04:00|00:03:00|UNLIMITED|8|2Gc
"""


ASKED = b"""JobID|JobName|User|QOS|Submit|Eligible|Start|End|NCPUS|ReqNodes|SubmitLine
7|a|ann|normal|2026-03-01T00:00:00|Unknown|2026-03-01T00:01:00|2026-03-01T00:03:00|4|1|sbatch --nice=5 -N2 -c 2 x
8|a|ann|fast|2026-03-01T00:00:01|2026-03-01T00:00:02|2026-03-01T00:01:00|2026-03-01T00:03:00|4|2|sbatch -d singleton x
"""


SACCT_JSON = b"""{"meta": {"plugin": {}, "Slurm": {}}, "jobs": [
{"job_id": 7, "user": "ann", "association": {"user": "ann"}, "name": "a", "qos": "q",
 "submit_line": "sbatch -d singleton --nice=5 -N 2 x", "account": "a", "partition": "p", "nodes": "n[1-2]",
 "time": {"submission": 100, "start": 110, "end": 130, "elapsed": 20, "limit": {"set": true, "infinite": false,
 "number": 5}}, "state": {"current": ["COMPLETED"]}, "required": {"CPUs": 4}, "steps": [{"step": {"id": "batch"}}],
 "tres": {"allocated": [{"type": "cpu", "count": 8}, {"type": "gres", "name": "gpu:a", "count": 2}], "requested": []}}]}
"""
SQUEUE_JSON = b"""{"jobs": [{"job_id": 8, "job_state": "COMPLETED", "submit_time": 100, "start_time": 110, "cpus": 4,
"end_time": 130, "suspend_time": 0, "pre_sus_time": 0, "time_limit": null, "tres_req_str": "cpu=4,mem=1G,gres/gpu=1",
"user_name": "ann"}], "meta": {"plugin": {}, "slurm": {}}}
"""


BATSIM = b"""{"nb_res": 4, "jobs": [{"id": "1", "subtime": 0, "walltime": 30, "res": 1, "profile": "d"},
{"id": 2, "subtime": 1.5, "res": 2, "profile": "s"}, {"id": 3, "subtime": 2, "res": 2, "profile": "f"}],
"profiles": {"d": {"type": "DelayProfile", "delay": 20.2}, "s": {"type": "composed", "repeat": 2, "seq": ["d", "d"]},
"f": {"type": "ParallelTaskHomogeneousProfile", "cpu": 1e6, "com": 0}}}
"""
PLATFORM = b"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd">
<platform version="4.1"><zone id="AS0"><cluster id="A" prefix="a" radical="0-511,600"/>
<cluster id="M" prefix="m" radical="0-0"><prop id="role" value="master" /></cluster><host id="x"/></zone></platform>
"""


RAN = TASK.replace("419912,419912", "419912,419950")


def parquet_tables() -> list[bytes]:
    """Tables of PM100 as bytes, plain and compressed."""
    from tests.engine.workload.sites.test_pm100 import table

    return [table(), table(compression="none", use_dictionary=False)]


COMMAS = b"""# processors: 64
job_id,submit_time,start,end,runtime,cores,user,state,gpus,mem_gb,wait,walltime
7,2026-03-01 00:00:00,2026-03-01 00:01:00,2026-03-01T00:03:00Z,00:02:00,4,ann,DONE,0,1.5,60,3600
8,1700000000,,,-1,0.5,"b,ob",,cpu=1,16G,1-00:00:00,UNLIMITED
"""

SEMICOLONS = b"""Submitted at;Dauer [min];Slots
31.12.2025 10:00;12,5;4
x;y
"""


def table(content: bytes) -> Workload:
    """The first line chooses the columns, the rest is the table."""
    case, _, text = content.partition(b"\n") if content[:1].isalpha() and b"=" in content[:40] else (b"", b"", content)
    chosen = case.decode("latin-1") or None
    columns(BytesIO(text), "table.csv", chosen)
    return shown(read(BytesIO(text), "table.csv", chosen))


def shown(workload: Workload) -> Workload:
    """What becomes of each workload that is taken: the store keeps its facts as JSON, the page shows a preview."""
    facts = [preview(workload), dict(workload.machine), list(workload.report), workload.name, dict(workload.source)]
    json.dumps(facts, ensure_ascii=False, allow_nan=False).encode()
    assert len(workload) > 0 and workload.kind
    return workload


def log(content: bytes) -> Workload:
    return shown(read(BytesIO(content), "log"))


def platform(content: bytes) -> int:
    return read_processors(BytesIO(content), "platform.xml")


def packed(content: bytes) -> Workload:
    archive = b"\x1f\x8b" + content
    cases(BytesIO(archive), "log.gz")
    return shown(read(BytesIO(archive), "log.gz"))


def archives() -> list[bytes]:
    good = [gzip.compress(text, mtime=0) for text in (FOUR, EVENTS, instances()[0], b"0" * 100_000)]
    return [text[2:] for text in (*good, good[0] + good[0], good[0] + b"\0\0")]


TARGETS = (
    Target("swf", "SWF logs", log, lambda: [FOUR, HEADED, FOUR.replace(b"\n", b"\r\n")],
           words=("; MaxProcs: 1e99", "; MaxNodes: 0", "; UnixStartTime: 1", "; TimeZoneString: \xff", "1e999", "nan",
                  "inf", "-1", "2147483648", " 1 -1 -1", "0x1", "1_000", ".5", "+5.")),
    Target("google", "Tables of tasks and task events", log, lambda: [EVENTS, TABLE],
           words=("job,task,submit_s", "finish", "1e12", "9007199254740993", "nan", ",,", "-0", "1_0")),
    Target("sacct", "Accounting of Slurm", log, lambda: [SACCT, SACCT.replace(b"|", b" "), ASKED],
           words=("JobID|", "|Unknown", "|None", "UNLIMITED", "1-02:04:00", "CANCELLED by 1001", "7_[5-9]", "7+1",
                  "7.batch", "16Gn", "2026-11-22T12:42:14", "+01:00", "1e999", "\xff", "-d afterok:7,singleton",
                  "--exclusive", "--wrap ")),
    Target("slurm-json", "Slurm's JSON", log, lambda: [SACCT_JSON, SQUEUE_JSON, SACCT_JSON + SQUEUE_JSON],
           words=('"job_id": 7', "null", '{"set": true, "infinite": true, "number": 0}', "18446744073709551614", "-1",
                  '["PENDING"]', "1e400", '"jobs": [', "\\ud800", "\xff", '"time": []', "{}", "[]"), is_json=True),
    Target("batsim", "Workloads of Batsim", log, lambda: [BATSIM], is_json=True,
           words=('"subtime"', '"res"', '"seq": ["s"]', '"repeat": 1e300', "DelayProfile", "null", "-1", "1e400")),
    Target("platform", "Platforms of SimGrid", platform, lambda: [PLATFORM],
           words=("<host/>", "<cluster", 'radical="0-9"', "<!ENTITY a 'b'>", "&a;", "master_host", "</platform>")),
    Target("helios", "Helios", log, lambda: [HELIOS.encode()],
           words=("gpu_num", "2020-06-09 18:41:01", ",,", "1e999", "-1", "0.5", '"', "None", "\xff")),
    Target("alibaba", "Tasks of Alibaba", log,
           lambda: ["\n".join([line] * 3).encode() for line in (RAN, INSTANCE, PAI, f"{PAI_HEADER}\n{PAI}")],
           words=("Terminated", ",0,", "plan_gpu", "1e15", "-1", ",,", '"', "nan", "\xff")),
    Target("philly", "Philly", log, lambda: [json.dumps([PHILLY, PHILLY]).encode()], is_json=True,
           words=('"attempts": []', "null", '"None"', '"2017-10-07 01:12:09"', '"gpus": [', "{}", "[]")),
    Target("google-2019", "Events of Google 2019", log, lambda: [as_csv(ALL), as_csv(ALL, words=True), as_json(PLAIN)],
           words=("SCHEDULE", "9223372036854775807", "resource_request", "{'cpus': 0.5}", ",,", "-1", "1e999", "\xff")),
    Target("parquet", "Parquet tables", log, parquet_tables, words=("PAR1", "submit_time", "\0\0\0\0", "\xff\xff")),
    Target("table", "Tables with a header", table, lambda: [COMMAS, SEMICOLONS, b"x=y,\n" + COMMAS],
           words=("submit=", "runtime=Dauer:minutes", "size=", ":hours", "%2C", "31.12.2025 10:00",
                  "2026-01-01T00:00:00Z", "1700000000000", "1-02:03:04", "1h 30min", "12,5", ";", "\t", "|", '"', '""',
                  "# processors: 9", "1e999", "\xff", "\0", "gpus", "mem [GB]", "16G", "-1", "NaN", "PAR1")),
    Target("gzip", "Gzipped files, damaged ones too", packed, archives),
)  # fmt: skip
