import { createKafka, openTransform, type TransformChannel, type TransformProperties } from '@taproom/messaging'
import type { Logger } from '@taproom/service'

/** Reads the topic `template-app-words` and writes each message in capitals to `template-app-capitals`, exactly once. */
export function openCapitals({ input, output }: TransformProperties, log: Logger): TransformChannel {
  const kafka = createKafka({ clientId: 'template-app', ...input, log })
  return openTransform(kafka, {
    channel: 'template-app-capitals',
    inputTopic: input.topic,
    outputTopic: output.topic,
    groupId: input.groupId,
    transactionalId: input.groupId,
    from: input.from,
    failureStrategy: input.failureStrategy,
    ...(input.deadLetterTopic !== undefined && { deadLetterTopic: input.deadLetterTopic }),
    transform: ({ key, value }) => (value === null ? [] : [{ key, value: String(value).toUpperCase() }]),
  })
}
