import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { array, int8, int16, int32, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

/** The protocol's numbers for what can be configured. */
const TOPIC = 2
const BROKER = 4
const BROKER_LOGGER = 8
const CLIENT_METRICS = 16
const GROUP = 32
const TYPES: readonly number[] = [GROUP, CLIENT_METRICS, BROKER_LOGGER, BROKER, TOPIC]

function namesOf(broker: Broker, type: number): readonly string[] {
  if (type === TOPIC) return broker.topics.all.map(({ name }) => name)
  if (type === GROUP) return broker.groups.consumers.configs.groupIds
  // Client metrics cannot be configured here.
  return type === BROKER || type === BROKER_LOGGER ? broker.nodes.live.map(({ id }) => String(id)) : []
}

/** What can be configured: of the wanted types, or of all. Version 0 asks for client metrics alone. */
export const listConfigResources = defineApi('ListConfigResources', {
  request: struct({ resourceTypes: since(1, array(int8), [CLIENT_METRICS]) }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    errorCode: int16,
    resources: array(struct({ name: string, type: since(1, int8, CLIENT_METRICS) })),
  }),
  handle({ resourceTypes }, { broker }) {
    const wanted = new Set(resourceTypes.length === 0 ? TYPES : resourceTypes)
    if ([...wanted].some((type) => !TYPES.includes(type))) {
      return { errorCode: ErrorCode.UNSUPPORTED_VERSION, resources: [] }
    }
    const resources = TYPES.filter((type) => wanted.has(type)).flatMap((type) =>
      namesOf(broker, type).map((name) => ({ name, type })),
    )
    return { errorCode: ErrorCode.NONE, resources }
  },
})
