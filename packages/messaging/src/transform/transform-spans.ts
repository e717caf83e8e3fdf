import { tracing } from '@taproom/core/spans'
import type { OutgoingMessage } from '../channel/message.ts'
import { duringBatch, duringProcess } from '../spans/message-spans.ts'
import type { TransformOptions } from './transform-channel.ts'

type Transform = TransformOptions['transform']

type Batch = Pick<TransformOptions, 'inputTopic' | 'groupId' | 'transform'>

/**
 * Runs a transaction in a span that is linked with the traces of its messages. Each message is transformed in its own trace, which its outputs
 * carry on.
 */
export function inTransactionSpan<T>(
  { inputTopic: topic, groupId, transform }: Batch,
  run: (transform: Transform) => Promise<T>,
): Promise<T> {
  const traces = tracing()
  if (traces === undefined) return run(transform)
  return duringBatch(traces, { topic, groupId }, (batch, take) =>
    run((message) => {
      take(message)
      return duringProcess(traces, message, { groupId, batch }, () => {
        const headers = traces.inject()
        const made = transform(message)
        if (Array.isArray(made)) return carrying(headers, made)
        return Promise.resolve(made).then((outputs) => carrying(headers, outputs))
      })
    }),
  )
}

function carrying(
  headers: Readonly<Record<string, string>>,
  outputs: readonly OutgoingMessage[],
): readonly OutgoingMessage[] {
  return outputs.map((output) => ({ ...output, headers: { ...output.headers, ...headers } }))
}
