import type { Attributes, Context, Span, SpanStart, Tracing } from '@taproom/core/spans'
import type { IncomingMessage, OutgoingMessage } from '../channel/message.ts'

const SCOPE = '@taproom/messaging'

interface Reader {
  readonly groupId: string
  readonly batch?: Span | undefined
  /** The trace that the message carries, where it is known already. */
  readonly parent?: Context
}

/**
 * Begins the span of a message that is sent, in the active trace or else in that of the message's own headers. The message that it returns
 * carries the span to its reader.
 */
export function beginSend(traces: Tracing, message: OutgoingMessage, topic: string) {
  const parent = traces.active() === undefined ? traces.extract(message.headers ?? {}).context : undefined
  const span = traces.start(SCOPE, `send ${topic}`, {
    kind: 'producer',
    parent,
    attributes: () => attributesOf('send', topic),
  })
  return {
    message: { ...message, headers: { ...message.headers, ...traces.inject(span) } },
    /** The message is confirmed, dropped, or has failed. */
    end(outcome: { readonly error?: unknown }): void {
      if (span === undefined) return
      if (outcome.error !== undefined) traces.failed(span, outcome.error)
      span.end()
    },
  }
}

/** Handles a message in a span that continues the trace it came with, linked with the span of those that are handled together, if any. */
export function duringProcess<T>(
  traces: Tracing,
  message: IncomingMessage,
  { groupId, batch, parent }: Reader,
  handle: () => T | Promise<T>,
): T | Promise<T> {
  const start: SpanStart = {
    kind: 'consumer',
    parent: parent ?? traces.extract(message.headers).context,
    attributes: () => ({
      ...attributesOf('process', message.topic),
      'messaging.consumer.group.name': groupId,
      'messaging.destination.partition.id': String(message.partition),
      'messaging.kafka.offset': Number(message.offset),
    }),
    ...(batch && { links: [{ context: batch.spanContext() }] }),
  }
  return traces.during(SCOPE, `process ${message.topic}`, start, handle)
}

/**
 * Handles messages that are read and committed together in a span of its own, linked with the trace of each that is taken: it belongs to none
 * more than to the others.
 */
export function duringBatch<T>(
  traces: Tracing,
  { topic, groupId }: { readonly topic: string; readonly groupId: string },
  handle: (span: Span | undefined, take: (message: IncomingMessage) => void) => Promise<T>,
): Promise<T> {
  const attributes = () => ({ ...attributesOf('receive', topic), 'messaging.consumer.group.name': groupId })
  return traces.during(SCOPE, `receive ${topic}`, { kind: 'consumer', parent: 'none', attributes }, async (span) => {
    if (!span?.isRecording()) return await handle(span, () => undefined)
    let count = 0
    const take = ({ headers }: IncomingMessage) => {
      count += 1
      const link = count > MOST_LINKS ? undefined : traces.linkTo(headers)
      if (link !== undefined) span.addLink(link)
    }
    try {
      return await handle(span, take)
    } finally {
      span.setAttribute('messaging.batch.message_count', count)
    }
  })
}

/** As many as OpenTelemetry's SDK keeps unless it is told otherwise. */
const MOST_LINKS = 128

function attributesOf(operation: 'send' | 'receive' | 'process', topic: string): Attributes {
  return {
    'messaging.system': 'kafka',
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
    'messaging.destination.name': topic,
  }
}
