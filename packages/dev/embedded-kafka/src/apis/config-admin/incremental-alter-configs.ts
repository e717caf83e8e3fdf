import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import type { TopicConfig } from '../../topics/topic-config.ts'
import { mapInTurns } from '../../turn.ts'
import type { Infer } from '../../wire/codec.ts'
import { array, bool, int8, nullableString, string } from '../../wire/primitives.ts'
import { struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { alterConfig, alterResponse } from './alter-config.ts'

const changes = array(struct({ name: string, operation: int8, value: nullableString }))

const request = struct({
  resources: array(struct({ resourceType: int8, resourceName: string, configs: changes })),
  validateOnly: bool,
})

/** The protocol's numbers for operations on a setting. */
const OPERATION = { set: 0, delete: 1 } as const

function changed(current: TopicConfig, configs: Infer<typeof changes>): TopicConfig {
  const config = new Map(Object.entries(current))
  for (const { name, operation, value } of configs) {
    if (operation === OPERATION.delete) config.delete(name)
    else if (operation === OPERATION.set && value !== null) config.set(name, value)
    else throw new ProtocolError(ErrorCode.INVALID_REQUEST, `operation ${operation} on ${name} is not supported`)
  }
  return Object.fromEntries(config)
}

/** Sets and removes single settings of a topic. */
export const incrementalAlterConfigs = defineApi({
  key: 44,
  name: 'IncrementalAlterConfigs',
  minVersion: 0,
  maxVersion: 1,
  flexibleSince: 1,
  request,
  response: alterResponse,
  handle: async ({ resources, validateOnly }, { broker }) => ({
    responses: await mapInTurns(resources, (resource) =>
      alterConfig(broker, resource, { validateOnly, change: (current) => changed(current, resource.configs) }),
    ),
  }),
})
