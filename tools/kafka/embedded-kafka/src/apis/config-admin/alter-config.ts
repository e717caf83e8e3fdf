import type { Broker } from '../../broker/broker.ts'
import { actionOutcome } from '../../protocol/protocol-error.ts'
import { checkBrokerConfig } from '../../settings/dynamic-settings.ts'
import { checkGroupConfig } from '../../settings/group-settings.ts'
import { checkTopicConfig, type TopicConfig } from '../../settings/topic-settings.ts'
import { array, int8, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { type ConfigResource, configOf, nodeOf, RESOURCE } from './config-resource.ts'
import { checkOnce } from './given-config.ts'

export const alterResponse = struct({
  throttleTimeMs: constant(int32, 0),
  responses: array(
    struct({ errorCode: int16, errorMessage: nullableString, resourceType: int8, resourceName: string }),
  ),
})

type Alteration = ConfigResource & { readonly configs: readonly { readonly name: string }[] }

function check({ resourceType }: ConfigResource, config: TopicConfig): void {
  if (resourceType === RESOURCE.broker) checkBrokerConfig(config)
  else if (resourceType === RESOURCE.group) checkGroupConfig(config)
  else checkTopicConfig(config)
}

function save(broker: Broker, resource: ConfigResource, config: TopicConfig): void {
  const { resourceType, resourceName } = resource
  if (resourceType === RESOURCE.broker) broker.brokerConfigs.configure(nodeOf(broker, resource), config)
  else if (resourceType === RESOURCE.group) broker.groups.consumers.configs.configure(resourceName, config)
  else broker.topics.configure(resourceName, config)
}

/** Checks the settings that `change` would give a topic, group or broker, and saves them unless the client only wants the check. */
export function alterConfig(
  broker: Broker,
  resource: Alteration,
  options: { readonly validateOnly: boolean; readonly change: (config: TopicConfig) => TopicConfig },
) {
  const { resourceType, resourceName } = resource
  const alter = () => {
    checkOnce(resource.configs)
    const config = options.change(configOf(broker, resource))
    check(resource, config)
    if (!options.validateOnly) save(broker, resource, config)
  }
  return { resourceType, resourceName, ...actionOutcome(alter) }
}
