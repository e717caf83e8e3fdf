import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { actionOutcome, ProtocolError } from '../../protocol/protocol-error.ts'
import { checkGroupConfig } from '../../settings/group-settings.ts'
import { checkTopicConfig, type TopicConfig } from '../../settings/topic-settings.ts'
import { array, int8, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { type ConfigResource, configOf, isThisBroker, RESOURCE } from './config-resource.ts'
import { checkOnce } from './given-config.ts'

export const alterResponse = struct({
  throttleTimeMs: constant(int32, 0),
  responses: array(
    struct({ errorCode: int16, errorMessage: nullableString, resourceType: int8, resourceName: string }),
  ),
})

type Alteration = ConfigResource & { readonly configs: readonly { readonly name: string }[] }

/** The broker's settings are those that it was started with. */
function refuseBrokerChange(broker: Broker, resource: Alteration): void {
  isThisBroker(broker, resource)
  if (resource.configs.length === 0) return
  const names = resource.configs.map(({ name }) => name).join(', ')
  throw new ProtocolError(ErrorCode.INVALID_REQUEST, `Cannot update these configs dynamically: Set(${names})`)
}

/** Checks the settings that `change` would give a topic or group, and saves them unless the client only wants the check. */
export function alterConfig(
  broker: Broker,
  resource: Alteration,
  options: { readonly validateOnly: boolean; readonly change: (config: TopicConfig) => TopicConfig },
) {
  const { resourceType, resourceName } = resource
  const alter = () => {
    checkOnce(resource.configs)
    if (resourceType === RESOURCE.broker) return refuseBrokerChange(broker, resource)
    const config = options.change(configOf(broker, resource))
    const isGroup = resourceType === RESOURCE.group
    if (isGroup) checkGroupConfig(config)
    else checkTopicConfig(config)
    if (options.validateOnly) return
    if (isGroup) broker.groups.consumers.configs.configure(resourceName, config)
    else broker.topics.configure(resourceName, config)
  }
  return { resourceType, resourceName, ...actionOutcome(alter) }
}
