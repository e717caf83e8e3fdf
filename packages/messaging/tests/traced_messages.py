"""Sends a message to one topic and receives one from another, with OpenTelemetry's own instrumentation, and writes each span as a line of JSON."""

import json
import sys

from kafka import KafkaConsumer, KafkaProducer
from opentelemetry.instrumentation.kafka import KafkaInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult

bootstrap, into, out_of = sys.argv[1:]


class Lines(SpanExporter):
    def export(self, spans):
        for span in spans:
            told = {
                "name": span.name,
                "kind": span.kind.name,
                "trace": format(span.context.trace_id, "032x"),
                "span": format(span.context.span_id, "016x"),
                "parent": None if span.parent is None else format(span.parent.span_id, "016x"),
            }
            print(json.dumps(told), flush=True)
        return SpanExportResult.SUCCESS


provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(Lines()))
KafkaInstrumentor().instrument(tracer_provider=provider)

producer = KafkaProducer(bootstrap_servers=bootstrap)
producer.send(into, b"from Python").get(timeout=60)
producer.close()

consumer = KafkaConsumer(out_of, bootstrap_servers=bootstrap, auto_offset_reset="earliest", group_id="python", consumer_timeout_ms=60000)
for message in consumer:
    break
consumer.close()
