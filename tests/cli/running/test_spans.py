"""``niah run --spans``: a collector gets a span of every trial, and no secret, prompt or answer with it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from itertools import count
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from niah.cli.main import main
from tests.loopback import Post, Reply, completion, replying, serving

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = "haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [512]\ndepths: [0, 50, 100]\n"
KEY = "sk-planted-0123456789"
ANSWER = "Three lanterns."


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    Path("mine.yaml").write_text(SUITE)
    Path("run.yaml").write_text("suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc]\n")


def run(address: str, *more: str) -> int:
    where = ["--model", "m", "--api-base", f"{address}/v1", "--out", "run.sqlite"]
    return main(["run", "run.yaml", *where, "--concurrency", "1", *more])


@contextmanager
def collecting(status: int = 200) -> Iterator[tuple[str, list[ExportTraceServiceRequest], list[str]]]:
    """A collector: its address, what it was sent, and the paths that this was sent to."""
    sent: list[ExportTraceServiceRequest] = []
    paths: list[str] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            sent.append(ExportTraceServiceRequest.FromString(body))
            paths.append(self.path)
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Collector) as address:
        yield address, sent, paths


def value(said: AnyValue) -> object:
    name = said.WhichOneof("value")
    return getattr(said, name) if name else None


def facts(span: Span) -> dict[str, object]:
    return {each.key: value(each.value) for each in span.attributes}


def second_is_refused() -> Iterator[Reply]:
    for number in count():
        error = {"error": {"message": f"no such thing, {KEY}"}}
        yield Reply(error, 400) if number == 1 else Reply(completion(ANSWER, 520, 4))


def test_a_collector_gets_a_span_of_every_trial() -> None:
    replies = second_is_refused()
    with collecting() as (collector, sent, paths), replying(lambda post: next(replies)) as address:
        drawn = ["--reader-option", "temperature=0.5", "--reader-option", "seed=40"]
        assert run(address, "--spans", collector, *drawn) == 0
    assert set(paths) == {"/v1/traces"}
    resources = [each for request in sent for each in request.resource_spans]
    services = {fact.key: value(fact.value) for each in resources for fact in each.resource.attributes}
    assert services["service.name"] == "niah"
    spans = [span for each in resources for scope in each.scope_spans for span in scope.spans]
    assert [span.name for span in spans] == ["chat m"] * 3
    assert {span.kind for span in spans} == {Span.SPAN_KIND_CLIENT}
    first, refused, _ = spans
    told = facts(first)
    assert told["gen_ai.operation.name"] == "chat"
    assert told["gen_ai.provider.name"] == "openai-compatible"
    assert (told["gen_ai.request.model"], told["gen_ai.request.temperature"]) == ("m", 0.5)
    assert told["gen_ai.request.seed"] == 40
    assert (told["gen_ai.usage.input_tokens"], told["gen_ai.usage.output_tokens"]) == (520, 4)
    assert f"http://{told['server.address']}:{told['server.port']}" == address
    assert (told["niah.outcome"], told["niah.strategy"]) == ("scored", "lc")
    (verdict,) = first.events
    assert verdict.name == "gen_ai.evaluation.result"
    event = {fact.key: value(fact.value) for fact in verdict.attributes}
    assert event == {
        "gen_ai.evaluation.name": "rubric",
        "gen_ai.evaluation.score.value": told["niah.score"],
    }
    assert facts(refused)["error.type"] == "reader_error"
    assert (refused.status.code, refused.status.message) == (
        Status.STATUS_CODE_ERROR,
        "HTTP 400: no such thing, ***",
    )
    assert len({facts(span)["niah.trial_id"] for span in spans}) == 3
    assert first.end_time_unix_nano > first.start_time_unix_nano
    everything = b"".join(request.SerializeToString() for request in sent)
    assert not [secret for secret in (KEY, ANSWER, "Question:") if secret.encode() in everything]


def test_a_collector_that_takes_nothing_costs_no_trial(capsys: pytest.CaptureFixture[str]) -> None:
    with collecting(status=400) as (collector, _, _), replying(lambda post: Reply(completion(ANSWER))) as at:
        assert run(at, "--spans", f"{collector}/elsewhere?token=planted-0123456789") == 0
    said = capsys.readouterr().err
    assert f"3 spans could not be sent to {collector}/elsewhere.\n" in said
    assert "planted" not in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("collector", "problem"),
    [
        ("http://127.0.0.1:9", "no collector answers at http://127.0.0.1:9: "),
        ("localhost:4318", "the collector's address 'localhost:4318' is no web address"),
    ],
)
def test_a_mistake_is_told_before_anything_is_asked(
    collector: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Post] = []

    def reply(post: Post) -> Reply:
        asked.append(post)
        return Reply(completion(ANSWER))

    with replying(reply) as address:
        assert run(address, "--spans", collector) == 2
    said = capsys.readouterr().err
    assert problem in said
    assert said.count("\n") == 1
    assert asked == []
    assert not Path("run.sqlite").exists()


def test_without_opentelemetry_the_extra_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "niah.runs.telemetry.otlp", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.resources", None)
    with replying(lambda post: Reply(completion(ANSWER))) as address:
        assert run(address, "--spans", "http://127.0.0.1:9") == 2
    assert "pip install '.[otel]'" in capsys.readouterr().err


def test_a_program_that_has_its_own_tracing_gets_the_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    # What set_tracer_provider sets, once a process.
    monkeypatch.setattr("opentelemetry.trace._TRACER_PROVIDER", provider)
    with replying(lambda post: Reply(completion(ANSWER))) as address:
        assert run(address) == 0
    assert len(kept.get_finished_spans()) == 3
