"""`shadowtime pseudonymise`: a log without names, by a key of a file."""

from __future__ import annotations

import gzip

TABLE = "id,submit,runtime,cores,user,comment\n1,0,60,4,ann,for ann\n2,5,60,4,bob,x\n"


def test_a_log_is_written_with_pseudonyms(shadowtime, tmp_path):
    given, key, target = tmp_path / "jobs.csv", tmp_path / "key", tmp_path / "renamed.csv.gz"
    given.write_text(TABLE)
    key.write_bytes(b"0123456789\n")
    answer = shadowtime("pseudonymise", given, target, "--key-file", key)
    text = gzip.decompress(target.read_bytes())

    assert answer.code == 0 and answer.out.startswith("2 jobs in")
    assert b"ann" not in text and text.count(b"user-") == 2
    refused = shadowtime("pseudonymise", given, tmp_path / "x.txt", "--key-file", key)
    assert refused.code == 2 and "the name must end in .csv" in refused.err
    assert "no such file" in shadowtime("pseudonymise", given, target, "--key-file", tmp_path / "none").err


def test_what_the_table_has_no_place_for_is_named(shadowtime, tmp_path):
    given, key = tmp_path / "sacct.psv", tmp_path / "key"
    head = "JobIDRaw|User|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|State|QOS"
    day = "2025-03-03T"
    line = f"7|ann|{day}09:00:00|{day}09:10:00|{day}09:20:00|{day}09:30:00|600|30|4|COMPLETED|high"
    given.write_text(f"{head}\n{line}\n")
    key.write_bytes(b"0123456789")
    answer = shadowtime("pseudonymise", given, tmp_path / "renamed.csv", "--key-file", key)

    assert answer.out.splitlines()[1] == "renamed.csv has no place for: QOS, eligible times"
