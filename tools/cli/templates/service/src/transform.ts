import { createKafka, openTransform, type TransformChannel, type TransformProperties } from '@taproom/messaging'
import type { Logger } from '@taproom/service'

/** Writes to one topic what `transform` makes of each message of another, exactly once. */
export function openTemplateAppTransform({ input, output }: TransformProperties, log: Logger): TransformChannel {
  const kafka = createKafka({ clientId: 'template-app', ...input, log })
  return openTransform(kafka, {
    channel: 'template-app-transform',
    inputTopic: input.topic,
    outputTopic: output.topic,
    groupId: input.groupId,
    transactionalId: input.groupId,
    from: input.from,
    failureStrategy: input.failureStrategy,
    ...(input.deadLetterTopic !== undefined && { deadLetterTopic: input.deadLetterTopic }),
    transform: ({ key, value }) => [{ key, value }],
  })
}
