"""`shadowtime simulate`, as the contract shows it."""

import csv
import json
import subprocess
import sys

import pytest

HEADER = (
    "job_id,submission_time,requested_number_of_resources,requested_time,success,starting_time,execution_time,"
    "finish_time,waiting_time,turnaround_time,stretch,allocated_resources"
)


def rows(path, columns=12):
    """Lines of a CSV file, cut after the columns that the contract names."""
    return [",".join(row[:columns]) for row in csv.reader(path.open())]


def test_four_jobs_under_easy_give_the_figures_worked_by_hand(shadowtime, four_swf, tmp_path):
    summary = shadowtime("simulate", four_swf, "-a", "easy", "--out", tmp_path / "out", "--json").json

    metrics, bounds = summary["metrics"], summary["bounds"]
    assert (summary["algorithm"], summary["workload"], summary["jobs"]) == ("easy", "four.swf", 4)
    assert len(summary["run"]) == 16
    assert metrics["makespan"] == 1110.0
    assert metrics["mean_wait"] == 51.75
    assert metrics["mean_flow"] == 341.75
    assert metrics["total_job_time"] == 1367.0
    assert metrics["mean_bounded_stretch"] == pytest.approx(3.502)
    assert metrics["max_bounded_stretch"] == pytest.approx(10.9)
    assert metrics["weighted_completion"] == 1373.0
    assert metrics["mean_utilization"] == pytest.approx(0.44144144144144143)
    assert (metrics["preemptions"], metrics["unfinished"], metrics["rejected"]) == (0, 0, 0)
    assert bounds["makespan"] >= 1002.0
    assert bounds["max_bounded_stretch"] >= 1.123076923076923 - 1e-9
    assert set(summary["bound_names"]) == set(bounds)
    assert set(summary["timing"]) >= {"load_s", "compile_s", "simulate_s", "metrics_s"}
    assert summary["engine_version"].startswith("0.1.0+")
    assert "counters" in summary


def test_out_writes_the_tables_that_others_read(shadowtime, four_swf, tmp_path):
    """
    0-5  1111111111               3333333333333333...
    6-9  .4444.....2222222222     (0-3)
         0       100  110                      1110
    """
    summary = shadowtime("simulate", four_swf, "-a", "easy", "--out", tmp_path / "out", "--json").json

    out = tmp_path / "out"
    assert rows(out / "jobs.csv") == [
        HEADER,
        "1,0.0,6,100.0,1,0.0,100.0,100.0,0.0,100.0,1.0,0-5",
        "2,1.0,10,10.0,1,100.0,10.0,110.0,99.0,109.0,10.9,0-9",
        "3,2.0,4,1000.0,1,110.0,1000.0,1110.0,108.0,1108.0,1.108,0-3",
        "4,3.0,4,50.0,1,3.0,50.0,53.0,0.0,50.0,1.0,6-9",
    ]
    assert rows(out / "segments.csv") == [
        "job_id,first,last,tier,start,end,share,kind",
        "1,0,5,0,0.0,100.0,1.0,run",
        "4,6,9,0,3.0,53.0,1.0,run",
        "2,0,9,0,100.0,110.0,1.0,run",
        "3,0,3,0,110.0,1110.0,1.0,run",
    ]
    assert rows(out / "events.csv")[0] == "time,kind,job_id,note"
    assert rows(out / "series.csv")[0].startswith("time,utilization,demand,queued,running")
    assert json.loads((out / "summary.json").read_text())["run"] == summary["run"]


def test_a_job_larger_than_the_machine_is_rejected_and_the_rest_runs(shadowtime, four_swf, tmp_path):
    summary = shadowtime(
        "simulate", four_swf, "-a", "easy", "--processors", 8, "--out", tmp_path / "out", "--json"
    ).json

    assert summary["metrics"]["rejected"] == 1
    assert rows(tmp_path / "out" / "jobs.csv")[2] == "2,1.0,10,10.0,0,,,,,,,"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-a", "eazy"], "unknown algorithm 'eazy'; known: "),
        (["-a", "easy", "-p", "extras=all"], "unknown parameter 'extras' of easy; known: "),
        (["-a", "easy", "-p", "extra=some"], "one of all, first"),
        (["-a", "easy", "-p", "extra"], "it must be name=value"),
        (["-a", "easy", "-p", "extra=all", "-p", "extra=first"], "given twice"),
        (["-a", "easy", "--convert", "fractoinal"], "unknown conversion 'fractoinal'"),
        (["-a", "easy", "--processors", "0"], "whole number above 0"),
        (["-a", "easy", "--cores-per-node", "2"], "needs nodes"),
        (["-a", "easy", "--processors", "9", "--nodes", "9"], "not allowed with"),
        (["-a", "easy", "--tau", "nan"], "seconds above 0"),
        (["-a", "easy", "--seed", "-1"], "0 or more"),
        ([], "-a/--algorithm"),
    ],
)
def test_a_wrong_question_gets_one_line_and_code_2(shadowtime, four_swf, arguments, sentence):
    answer = shadowtime("simulate", four_swf, *arguments)

    assert answer.code == 2
    assert sentence in answer.err


def test_a_log_without_a_machine_is_refused_with_the_option(shadowtime, tmp_path):
    (tmp_path / "bare.csv").write_text("submit,runtime,cores\n0,60,4\n9,60,2\n")
    answer = shadowtime("simulate", tmp_path / "bare.csv", "-a", "easy")

    assert answer.code == 2
    assert answer.err == "bare.csv does not say how many processors its machine has: name them (--processors N)\n"


def test_a_missing_file_lists_what_could_be_meant(shadowtime, tmp_path):
    answer = shadowtime("simulate", tmp_path / "gone.swf", "-a", "easy")

    assert answer.code == 2
    assert "gone.swf" in answer.err and "lublin" in answer.err


@pytest.mark.parametrize("content", [b"", b"\x1f\x8b\x08", b"\x00\x01\x02", b"1 2 3\n", b"{", b"%PDF-1.7 ..."])
def test_a_file_that_is_no_workload_gets_one_line(shadowtime, tmp_path, content):
    path = tmp_path / "odd.swf"
    path.write_bytes(content)

    answer = shadowtime("simulate", path, "-a", "easy")

    assert answer.code == 2
    assert "odd.swf" in answer.err


@pytest.mark.parametrize(
    ("option", "place", "sentence"),
    [
        ("--out", "/proc/x/y", "nothing can be written to /proc ("),
        ("--out", "/dev/null/x", "nothing can be written to /dev/null ("),
        ("--report", "/proc/x.html", "nothing can be written to /proc ("),
    ],
)
def test_an_output_that_cannot_be_written_is_refused_before_the_work(shadowtime, option, place, sentence):
    answer = shadowtime("simulate", "no-such-file.swf", "-a", "easy", option, place)

    assert answer.code == 2
    assert f"{option} {place}: {sentence}" in answer.err and "no-such-file" not in answer.err


def test_a_folder_is_no_workload(shadowtime, tmp_path):
    assert "is a directory" in shadowtime("simulate", tmp_path, "-a", "easy").err


def test_people_get_a_table_with_bounds_and_the_reading_report(shadowtime, four_swf):
    answer = shadowtime("simulate", four_swf, "-a", "easy")

    assert answer.code == 0
    assert answer.out.startswith("EASY on four.swf: 4 jobs, 10 processors")
    makespan = next(line for line in answer.out.splitlines() if line.startswith("makespan"))
    assert "1,110 s" in makespan and "×1.11" in makespan and "1,002 s" in makespan


def test_the_help_has_the_four_job_example(shadowtime, capsys):
    with pytest.raises(SystemExit) as stop:
        shadowtime("simulate", "--help")

    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert "0,100,6 - 1,10,10 - 2,1000,4 - 3,50,4" in text
    assert "at 0, 100, 110, 3" in text


def test_the_same_question_has_the_same_id_whatever_the_spelling(shadowtime, four_swf):
    ids = {
        shadowtime("simulate", four_swf, "-a", name, *more, "--json").json["run"]
        for name, more in (("easy", ()), ("EASY", ("-p", "extra=all")), ("easy", ("--processors", "10")))
    }

    assert len(ids) == 1


def loaded_by(heavy: str, *command: str) -> str:
    """Return which of the modules `heavy` a process of its own imports for a command."""
    code = (
        "import sys; from shadowtime.dashboard.cli import main; heavy = sys.argv.pop(); code = main(); "
        "print(sorted(set(heavy.split()) & set(sys.modules)), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code, *command, heavy], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr.strip()


def test_simulate_loads_no_web_no_queue_and_no_data_frames(four_swf):
    heavy = "dash flask plotly rq redis pandas pyarrow highspy pydantic"

    assert loaded_by(heavy, "simulate", four_swf, "-a", "easy", "--json") == "[]"


def test_a_small_run_loads_no_compiler(four_swf):
    assert loaded_by("numba", "simulate", four_swf, "-a", "easy", "--json") == "[]"
    assert loaded_by("numba", "simulate", "lublin:jobs=33", "-a", "easy", "--json") == "['numba']"


def test_a_reader_that_goes_away_is_no_error():
    """`shadowtime list metrics | head -1`."""
    command = [sys.executable, "-m", "shadowtime.dashboard.cli", "list", "metrics"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    errors = process.stderr.read()

    assert process.wait() != 0
    assert errors == b""


@pytest.mark.parametrize("code", [0, 3])
def test_a_policy_that_ends_the_process_is_one_sentence(shadowtime, monkeypatch, code):
    def leave(*_, **__):
        raise SystemExit(code)

    monkeypatch.setattr("shadowtime.workers.execute.execute", leave)
    answer = shadowtime("simulate", "four", "-a", "easy")

    assert (answer.code, answer.out) == (1, "")
    assert answer.err == "easy ended the process (SystemExit); there is no result\n"
