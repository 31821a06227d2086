"""Spans sent by OTLP over HTTP, and counted. Needs OpenTelemetry, which is an extra."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from urllib.parse import urlsplit

import requests
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
from opentelemetry.trace import Tracer

from niah import __version__
from niah.readers.preflight import is_loopback

_PATH = "/v1/traces"


class SpanSender:
    """Makes spans, and sends them in a thread of its own, many at once.

    Args:
        address: of the collector; without a path, OTLP's own is added.
    """

    def __init__(self, address: str) -> None:
        # Its warnings come with tracebacks, one for every try; what is lost is said once, at the end.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        self._exporter = _CountingExporter(address)
        self._processor = _CountingProcessor(self._exporter)
        named = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": "niah"}
        self._provider = TracerProvider(resource=Resource.create(named), shutdown_on_exit=False)
        self._provider.add_span_processor(self._processor)

    @property
    def tracer(self) -> Tracer:
        """Who makes them."""
        return self._provider.get_tracer("niah", __version__)

    def end(self) -> int:
        """Send what is left, for half a minute at most; how many could not be sent."""
        self._provider.shutdown()
        return self._processor.made - self._exporter.sent


class _CountingExporter(OTLPSpanExporter):
    def __init__(self, address: str) -> None:
        session = requests.Session()
        session.max_redirects = 0  # what the headers hold is for this address
        session.trust_env = not is_loopback(address)
        whole = urlsplit(address).path.strip("/")
        super().__init__(address if whole else address.rstrip("/") + _PATH, session=session)
        self.sent = 0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = super().export(spans)
        if result is SpanExportResult.SUCCESS:
            self.sent += len(spans)
        return result


class _CountingProcessor(BatchSpanProcessor):
    def __init__(self, exporter: OTLPSpanExporter) -> None:
        super().__init__(exporter)
        self.made = 0

    def on_end(self, span: ReadableSpan) -> None:
        self.made += 1
        super().on_end(span)
