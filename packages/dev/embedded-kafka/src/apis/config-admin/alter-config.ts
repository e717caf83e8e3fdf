import type { Broker } from '../../broker/broker.ts'
import { actionOutcome } from '../../protocol/protocol-error.ts'
import { checkTopicConfig, type TopicConfig } from '../../topics/topic-config.ts'
import { array, int8, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { type ConfigResource, configOf } from './config-resource.ts'

export const alterResponse = struct({
  throttleTimeMs: constant(int32, 0),
  responses: array(
    struct({ errorCode: int16, errorMessage: nullableString, resourceType: int8, resourceName: string }),
  ),
})

/** Checks the settings that `change` would give a topic, and saves them unless the client only wants the check. */
export function alterConfig(
  broker: Broker,
  { resourceType, resourceName }: ConfigResource,
  options: { readonly validateOnly: boolean; readonly change: (config: TopicConfig) => TopicConfig },
) {
  const named = { resourceType, resourceName }
  const alter = () => {
    const config = options.change(configOf(broker, named))
    for (const [name, value] of Object.entries(config)) checkTopicConfig(name, value)
    if (!options.validateOnly) broker.topics.configure(resourceName, config)
  }
  return { ...named, ...actionOutcome(alter) }
}
