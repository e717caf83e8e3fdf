import { type InMemoryLog, logCheck } from './in-memory-log.ts'
import { type InMemoryReader, readInMemory } from './in-memory-reader.ts'
import type { IncomingMessage } from './message.ts'
import type { TransformChannel, TransformOptions } from './transform-channel.ts'

/** A transform channel and its reader, so that the connector can tell when it is idle. */
export interface InMemoryTransform {
  readonly channel: TransformChannel
  readonly reader: InMemoryReader
}

/** As openTransform; a rejecting `transform` counts as aborted and its message is given up, since nothing would change. */
export function openInMemoryTransform(
  log: InMemoryLog,
  options: TransformOptions,
  onSettled: () => void,
): InMemoryTransform {
  const { channel, inputTopic, outputTopic, from = 'earliest', transform } = options
  const counters = { consumed: 0, produced: 0, skipped: 0, aborted: 0, restarts: 0 }

  async function handle(message: IncomingMessage): Promise<void> {
    try {
      const outputs = await transform(message)
      for (const output of outputs) log.append(outputTopic, output)
      counters.consumed += 1
      counters.produced += outputs.length
      if (outputs.length === 0) counters.skipped += 1
    } catch {
      counters.aborted += 1
    }
  }

  const reader = readInMemory({
    log,
    topic: inputTopic,
    start: from === 'earliest' ? 0 : log.read(inputTopic).length,
    concurrency: 1,
    handle,
    onSettled,
  })
  return {
    reader,
    channel: {
      assigned: Promise.resolve(),
      check: logCheck(`Kafka transform channel ${channel}`, log),
      counters,
      [Symbol.asyncDispose]: () => reader.stop(),
    },
  }
}
