import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import type { GroupConfig } from '../../settings/group-settings.ts'
import type { TopicConfig } from '../../settings/topic-settings.ts'

/** The protocol's numbers for kinds of resources with settings. */
export const RESOURCE = { topic: 2, broker: 4, group: 32 } as const

/** The resource that a request about settings names. */
export interface ConfigResource {
  readonly resourceType: number
  readonly resourceName: string
}

/** The settings of the topic or group that a request names; a group need not be there. */
export function configOf(broker: Broker, { resourceType, resourceName }: ConfigResource): TopicConfig | GroupConfig {
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
 * Whether a broker resource is this broker; otherwise it is the empty name, for what all brokers have in common.
 * @throws {ProtocolError} INVALID_REQUEST when it is another broker
 */
export function isThisBroker(broker: Broker, { resourceName }: ConfigResource): boolean {
  if (resourceName === '' || resourceName === String(broker.nodeId)) return resourceName !== ''
  throw new ProtocolError(
    ErrorCode.INVALID_REQUEST,
    `Unexpected broker id, expected ${broker.nodeId} or empty string, but received ${resourceName}`,
  )
}
