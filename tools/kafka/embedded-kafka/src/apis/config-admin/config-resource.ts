import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import type { BrokerConfig } from '../../settings/dynamic-settings.ts'
import type { GroupConfig } from '../../settings/group-settings.ts'
import type { TopicConfig } from '../../settings/topic-settings.ts'

/** The protocol's numbers for kinds of resources with settings. */
export const RESOURCE = { topic: 2, broker: 4, group: 32 } as const

/** The resource that a request about settings names. */
export interface ConfigResource {
  readonly resourceType: number
  readonly resourceName: string
}

/** The settings of the topic, group or broker that a request names, as they were given to it; a group need not be there. */
export function configOf(broker: Broker, resource: ConfigResource): TopicConfig | GroupConfig | BrokerConfig {
  const { resourceType, resourceName } = resource
  if (resourceType === RESOURCE.broker) return broker.brokerConfigs.of(nodeOf(broker, resource))
  if (resourceType === RESOURCE.group) {
    if (resourceName !== '') return broker.groups.consumers.configs.of(resourceName)
    throw new ProtocolError(ErrorCode.INVALID_REQUEST, 'Default group resources are not allowed.')
  }
  if (resourceType !== RESOURCE.topic) {
    throw new ProtocolError(ErrorCode.INVALID_REQUEST, `resources of type ${resourceType} cannot be configured here`)
  }
  const topic = broker.topics.find(resourceName)
  if (!topic) throw new ProtocolError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, `no topic ${resourceName}`)
  return topic.config
}

/**
 * The number of the broker that is meant, which has to be this one; undefined: what all brokers have in common, under the empty name.
 * @throws {ProtocolError} INVALID_REQUEST when it is another broker
 */
export function nodeOf({ nodeId }: Broker, { resourceName }: ConfigResource): number | undefined {
  if (resourceName === '') return undefined
  if (resourceName === String(nodeId)) return nodeId
  throw new ProtocolError(
    ErrorCode.INVALID_REQUEST,
    `Unexpected broker id, expected ${nodeId} or empty string, but received ${resourceName}`,
  )
}
