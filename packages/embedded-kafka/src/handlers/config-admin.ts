import type { Broker } from '../broker.ts'
import { alterConfigs, describeConfigs, incrementalAlterConfigs } from '../protocol/config-admin.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { failureOf, ProtocolError } from '../protocol/protocol-error.ts'
import { checkTopicConfig, configValue, TOPIC_CONFIG_KEYS, type TopicConfig } from '../topics/topic-config.ts'
import { type Endpoint, endpoint } from './endpoint.ts'

const RESOURCE = { topic: 2, broker: 4 } as const
const SOURCE = { topic: 1, default: 5 } as const
const OPERATION = { set: 0, delete: 1 } as const

/** All settings of a topic, its own and the defaults. */
export function configEntries(config: TopicConfig) {
  return TOPIC_CONFIG_KEYS.map(({ name, type }) => ({
    name,
    value: configValue(config, name),
    readOnly: false,
    isDefault: config[name] === undefined,
    configSource: config[name] === undefined ? SOURCE.default : SOURCE.topic,
    configType: type,
  }))
}

interface Resource {
  readonly resourceType: number
  readonly resourceName: string
}

function topicConfig(broker: Broker, { resourceType, resourceName }: Resource): TopicConfig {
  if (resourceType !== RESOURCE.topic) {
    throw new ProtocolError(ErrorCode.INVALID_REQUEST, `resources of type ${resourceType} cannot be configured here`)
  }
  const topic = broker.topics.find(resourceName)
  if (!topic) throw new ProtocolError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, `no topic ${resourceName}`)
  return topic.config
}

/** DescribeConfigs: topics in full; the broker itself has nothing that can be set over the wire. */
export const describeConfigsEndpoint: Endpoint = endpoint(describeConfigs, ({ resources }, { broker }) => ({
  results: resources.map((resource) => {
    const { resourceType, resourceName, configurationKeys } = resource
    const named = { resourceType, resourceName }
    try {
      if (resourceType === RESOURCE.broker)
        return { ...named, errorCode: ErrorCode.NONE, errorMessage: null, configs: [] }
      const entries = configEntries(topicConfig(broker, resource))
      const wanted = configurationKeys === null || configurationKeys.length === 0 ? undefined : configurationKeys
      const configs = entries.filter(({ name }) => wanted?.includes(name) ?? true)
      return { ...named, errorCode: ErrorCode.NONE, errorMessage: null, configs }
    } catch (error) {
      const { errorCode, message } = failureOf(error)
      return { ...named, errorCode, errorMessage: message, configs: [] }
    }
  }),
}))

function alter(
  broker: Broker,
  resource: Resource,
  validateOnly: boolean,
  change: (config: TopicConfig) => TopicConfig,
) {
  const named = { resourceType: resource.resourceType, resourceName: resource.resourceName }
  try {
    const config = change(topicConfig(broker, resource))
    for (const [name, value] of Object.entries(config)) checkTopicConfig(name, value)
    if (!validateOnly) broker.topics.configure(resource.resourceName, config)
    return { ...named, errorCode: ErrorCode.NONE, errorMessage: null }
  } catch (error) {
    const { errorCode, message } = failureOf(error)
    return { ...named, errorCode, errorMessage: message }
  }
}

/** AlterConfigs: replaces all settings of a topic. */
export const alterConfigsEndpoint: Endpoint = endpoint(alterConfigs, ({ resources, validateOnly }, { broker }) => ({
  responses: resources.map((resource) =>
    alter(broker, resource, validateOnly, () =>
      Object.fromEntries(resource.configs.flatMap(({ name, value }) => (value === null ? [] : [[name, value]]))),
    ),
  ),
}))

/** IncrementalAlterConfigs: sets and removes single settings. */
export const incrementalAlterConfigsEndpoint: Endpoint = endpoint(
  incrementalAlterConfigs,
  ({ resources, validateOnly }, { broker }) => ({
    responses: resources.map((resource) =>
      alter(broker, resource, validateOnly, (current) => {
        const changed = new Map(Object.entries(current))
        for (const { name, operation, value } of resource.configs) {
          if (operation === OPERATION.delete) changed.delete(name)
          else if (operation === OPERATION.set && value !== null) changed.set(name, value)
          else throw new ProtocolError(ErrorCode.INVALID_REQUEST, `operation ${operation} on ${name} is not supported`)
        }
        return Object.fromEntries(changed)
      }),
    ),
  }),
)
