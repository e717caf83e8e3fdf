import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import { dynamicSetting } from '../../settings/dynamic-settings.ts'
import { itemsOf } from '../../settings/setting-type.ts'
import { type TopicConfig, topicSetting } from '../../settings/topic-settings.ts'
import { mapInTurns } from '../../turn.ts'
import type { Infer } from '../../wire/codec.ts'
import { array, bool, int8, nullableString, string } from '../../wire/primitives.ts'
import { struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { alterConfig, alterResponse } from './alter-config.ts'
import { nullRefused } from './given-config.ts'

const changes = array(struct({ name: string, operation: int8, value: nullableString }))

const request = struct({
  resources: array(struct({ resourceType: int8, resourceName: string, configs: changes })),
  validateOnly: bool,
})

/** The protocol's numbers for operations on a setting. */
const OPERATION = { set: 0, delete: 1, append: 2, subtract: 3 } as const
type Change = Infer<typeof changes>[number]

/** The items of a list that a topic has, with those given added or taken away. */
function changedList(config: TopicConfig, { name, operation }: Change, value: string): string {
  const word = operation === OPERATION.append ? 'APPEND' : 'SUBTRACT'
  const setting = topicSetting(name) ?? dynamicSetting(name)
  if (setting?.type !== 'list') {
    const message = dynamicSetting(name)
      ? `Config value ${word.toLowerCase()} is not allowed for config key: ${name}`
      : `Can't ${word} to key ${name} because its type is not LIST.`
    throw new ProtocolError(ErrorCode.INVALID_CONFIG, message)
  }
  const given = Object.hasOwn(config, name) ? config[name] : undefined
  const current = new Set(itemsOf(given ?? setting.fallback))
  for (const item of itemsOf(value)) {
    if (operation === OPERATION.append) current.add(item)
    else current.delete(item)
  }
  return [...current].join(',')
}

function changed(current: TopicConfig, configs: readonly Change[]): TopicConfig {
  const config = new Map(Object.entries(current))
  for (const change of configs) {
    const { name, operation, value } = change
    if (operation === OPERATION.delete) config.delete(name)
    else if (value === null) throw nullRefused(name)
    else if (operation === OPERATION.set) config.set(name, value)
    else if (operation === OPERATION.append || operation === OPERATION.subtract) {
      config.set(name, changedList(current, change, value))
    } else throw new ProtocolError(ErrorCode.INVALID_REQUEST, `Unknown operation ${operation} on ${name}`)
  }
  return Object.fromEntries(config)
}

/** Sets and removes single settings, and items of those that are lists. */
export const incrementalAlterConfigs = defineApi('IncrementalAlterConfigs', {
  request,
  response: alterResponse,
  handle: async ({ resources, validateOnly }, { broker }) => ({
    responses: await mapInTurns(resources, (resource) =>
      alterConfig(broker, resource, { validateOnly, change: (current) => changed(current, resource.configs) }),
    ),
  }),
})
