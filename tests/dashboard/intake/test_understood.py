"""Questions that were understood before: asked once, however many ask at the same time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.intake.understood import Answer, Understood, key_of
from shadowtime.workers.errors import NotFound

ANSWER = [{"spec": "s" * 100, "jobs": 4}]


class Workloads:
    """A store with one workload, by two names."""

    names = ("0123", "01234567")

    @property
    def workloads(self) -> Workloads:
        return self

    def get(self, reference: str) -> Any:
        if reference not in self.names:
            raise NotFound("workload", reference)
        return SimpleNamespace(digest="01234567")


def question(workload: Any = "0123", **more: Any) -> dict[str, Any]:
    return {"workload": workload, "algorithm": "easy", **more}


def runs(understood: Understood, store: Any, words: dict[str, Any]) -> Answer:
    return understood.runs(key_of(store, words), words)


def test_the_same_words_are_understood_once():
    asked: list[Any] = []
    understood = Understood(lambda question: asked.append(question) or ANSWER)
    for words in (question(), question("01234567"), {"algorithm": "easy", "workload": "0123#"}, question()):
        assert runs(understood, Workloads(), words) == ANSWER
    assert len(asked) == 1
    for words in (question("0123#case"), question(seed=1), question(private=True)):
        runs(understood, Workloads(), words)
    assert len(asked) == 4


def test_those_who_ask_at_the_same_time_share_an_answer_or_a_refusal():
    for outcome in (None, Refusal(429, "Busy.")):
        asked, began, ends = [], threading.Event(), threading.Event()

        def ask(question: Any, outcome=outcome, asked=asked, began=began, ends=ends) -> Any:
            asked.append(question)
            began.set()
            assert ends.wait(60)
            if outcome:
                raise outcome
            return ANSWER

        understood = Understood(ask)
        with ThreadPoolExecutor(50) as threads:
            first = threads.submit(runs, understood, Workloads(), question())
            assert began.wait(60)
            futures = [first, *(threads.submit(runs, understood, Workloads(), question()) for _ in range(49))]
            ends.set()
            found = [future.exception() or future.result() for future in futures]
        if outcome is None:
            assert found == [ANSWER] * 50 and len(asked) == 1
        else:
            assert all(one is outcome for one in found)


def test_a_refusal_is_not_kept():
    answers = [Refusal(429, "Busy."), None]

    def ask(question: Any) -> Any:
        if refusal := answers.pop(0):
            raise refusal
        return ANSWER

    understood = Understood(ask)
    with pytest.raises(Refusal):
        runs(understood, Workloads(), question())
    assert runs(understood, Workloads(), question()) == ANSWER


def test_a_workload_that_was_deleted_is_not_known():
    understood, store = Understood(lambda question: ANSWER), Workloads()
    runs(understood, store, question())
    store.names = ()
    with pytest.raises(NotFound):
        runs(understood, store, question())


def test_what_is_no_question_is_for_the_intake_to_refuse():
    asked: list[Any] = []
    understood = Understood(lambda question: asked.append(question) or ANSWER)
    for _ in range(2):
        runs(understood, Workloads(), question(7))
    assert len(asked) == 2


def test_little_is_kept():
    asked: list[Any] = []
    understood = Understood(lambda question: asked.append(question) or ANSWER, most_bytes=3000)
    for _ in range(2):
        for seed in range(10):
            runs(understood, Workloads(), question(seed=seed))
    assert len(asked) == 20
    understood = Understood(lambda question: asked.append(question) or ANSWER, most_bytes=300)
    assert runs(understood, Workloads(), question()) == ANSWER
