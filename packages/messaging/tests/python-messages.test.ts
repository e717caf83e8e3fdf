import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { recordSpans, startKafka } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createKafka, openIncoming, openOutgoing } from '../src/index.ts'

/** A Python with `opentelemetry-sdk`, `opentelemetry-instrumentation-kafka-python` and `kafka-python`. */
const python = process.env['OTEL_PYTHON'] ?? 'python3'
const isThere = await run(python, ['-c', 'import kafka, opentelemetry.instrumentation.kafka, opentelemetry.sdk']).then(
  () => true,
  () => false,
)
const log = { debug() {}, info() {}, warn() {}, error() {} }

describe('messages to and from OpenTelemetry for Python', { tags: 'otel-python', skip: !isThere }, () => {
  it('decisions 3.85: are one trace, parent by parent', async () => {
    await using broker = await startKafka()
    await using spans = await recordSpans()
    const kafka = createKafka({ clientId: 'python-messages', bootstrapServers: broker.bootstrapServers, log })
    await using outgoing = openOutgoing(kafka, { channel: 'to-python', timeoutMs: 90_000 })
    await using incoming = openIncoming(kafka, {
      channel: 'from-python',
      onMessage: async ({ value }) => void (await outgoing.send({ value })),
    })
    await incoming.assigned
    const script = fileURLToPath(new URL('./traced_messages.py', import.meta.url))
    const { stdout } = await run(python, [script, broker.bootstrapServers, 'from-python', 'to-python'])
    const told = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string | null>)
    const sentThere = told.find(({ kind }) => kind === 'PRODUCER')
    const receivedThere = told.find(({ kind }) => kind === 'CONSUMER')

    const [sent, processed] = ['send to-python', 'process from-python'].map((name) =>
      spans.ended.find((span) => span.name === name),
    )
    expect(sentThere?.['parent']).toBeNull()
    expect(processed?.spanContext().traceId).toBe(sentThere?.['trace'])
    expect(processed?.parentSpanContext?.spanId).toBe(sentThere?.['span'])
    expect(sent?.parentSpanContext?.spanId).toBe(processed?.spanContext().spanId)
    expect(receivedThere).toMatchObject({ trace: sentThere?.['trace'], parent: sent?.spanContext().spanId })
  })
})
