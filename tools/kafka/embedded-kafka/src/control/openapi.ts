import { PARTITION_APIS } from '../faults/rule.ts'
import { API_NAMES, ERROR_NAMES, MAX_DELAY_MS, MAX_LASTS_MS, MAX_SEED, MAX_TIMES } from './read-rule.ts'
import { DEFAULT_WAIT_MS, MAX_MEMBERS, MAX_WAIT_MS } from './waits.ts'

const whole = (minimum: number, maximum?: number) => ({ type: 'integer', minimum, ...(maximum && { maximum }) })
const text = { type: 'string', maxLength: 1000 }
const nodeId = whole(0, 2 ** 31 - 1)
const limits = { nodeId, expiresInMs: { ...whole(1, MAX_LASTS_MS), default: 600_000 } }
const place = { topic: text, partition: whole(0, 2 ** 31 - 1) }
const api = { enum: API_NAMES }
const times = whole(1, MAX_TIMES)
const often = {
  // ogen does not read the numbers of `exclusiveMinimum`.
  probability: { type: 'number', minimum: 0, maximum: 1, description: 'More than 0' },
  seed: whole(0, MAX_SEED),
}
const selected = { api, ...place, groupId: text, transactionalId: text }
const after = { type: 'boolean', default: false, description: 'The request is carried out first' }

function object<P extends object>(properties: P, required: readonly string[] = Object.keys(properties)) {
  return { type: 'object', properties, required, additionalProperties: false }
}

function rule(kind: string, properties: object, required: readonly string[] = []) {
  return object({ kind: { const: kind }, ...properties, clientId: text, ...limits }, ['kind', ...required])
}

const once = { ...times, description: 'Default: 1 without a probability, else all' }
const rules = {
  ErrorRule: {
    description: `The next requests get an error; of ${PARTITION_APIS.join(', ')} only their partitions that are meant.`,
    ...rule('error', { ...selected, error: { enum: ERROR_NAMES }, after, times: once, ...often }, ['api', 'error']),
  },
  DelayRule: {
    description: 'Requests are carried out and answered later.',
    ...rule('delay', { ...selected, delayMs: whole(1, MAX_DELAY_MS), times, ...often }, ['delayMs']),
  },
  DropRule: {
    description: 'The connection is closed in place of the answer.',
    ...rule('drop', { ...selected, after, times: once, ...often }),
  },
  BlackHoleRule: {
    description: 'The connection says nothing more, and is closed when the rule ends.',
    ...rule('black-hole', { ...selected, after, times, ...often }),
  },
  PauseRule: { description: 'Produce and Fetch wait until the rule is gone.', ...rule('pause', place, ['topic']) },
  LeaderlessRule: { description: 'The partition has no leader.', ...rule('leaderless', place, ['topic']) },
  AwayRule: {
    description: 'The broker, or all of the cluster, is away: connections are cut, and ports closed.',
    ...object({ kind: { const: 'away' }, ...limits }, ['kind']),
  },
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const answers = (description: string, schema: object) => ({ '200': { description, ...json(schema) } })
const refused = {
  '400': {
    description: 'A field is wrong',
    content: { 'application/problem+json': { schema: ref('Problem') } },
  },
}
const missing = {
  '404': { description: 'There is none', content: { 'application/problem+json': { schema: ref('Problem') } } },
}
const taken = {
  '409': { description: 'Its port is taken', content: { 'application/problem+json': { schema: ref('Problem') } } },
}
const nothing = { '204': { description: 'Done' } }
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text })
const inQuery = (name: string, schema: object, required = false) => ({ name, in: 'query', required, schema })
const changes = (summary: string) => ({
  parameters: [inPath('nodeId')],
  post: { summary, responses: { ...answers('The broker', ref('Broker')), ...refused, ...missing, ...taken } },
})
const anyRule = {
  oneOf: Object.keys(rules).map(ref),
  discriminator: {
    propertyName: 'kind',
    mapping: Object.fromEntries(
      Object.entries(rules).map(([name, { properties }]) => [properties.kind.const, ref(name).$ref]),
    ),
  },
}
const setRule = {
  type: 'object',
  description: 'The rule with its id, the requests that met it, and how long it is still in force',
  properties: { id: text, kind: text, hits: whole(0), expiresInMs: whole(0) },
  required: ['id', 'kind', 'hits', 'expiresInMs'],
}
const clock = object({ now: { type: 'string', format: 'date-time' } })

/** The control API as OpenAPI 3.1, which it serves itself. */
export const openApi = {
  openapi: '3.1.0',
  info: {
    title: 'embedded-kafka control',
    version: '1',
    description: 'What tests need and no broker has: faults, time, waiting for commits.',
  },
  paths: {
    '/openapi.json': { get: { summary: 'This description', responses: answers('OpenAPI 3.1', { type: 'object' }) } },
    '/rules': {
      get: { summary: 'All rules', responses: answers('Rules', object({ rules: { type: 'array', items: setRule } })) },
      post: {
        summary: 'Has requests go wrong until the rule is deleted or expires',
        requestBody: { required: true, ...json(anyRule) },
        responses: { '201': { description: 'In force', ...json(setRule) }, ...refused },
      },
      delete: { summary: 'Deletes all rules', responses: nothing },
    },
    '/rules/{id}': {
      parameters: [inPath('id')],
      get: { summary: 'One rule', responses: { ...answers('The rule', setRule), ...missing } },
      delete: { summary: 'Deletes a rule', responses: { ...nothing, ...missing } },
    },
    '/clients': {
      get: {
        summary: 'Connected clients',
        responses: answers(
          'Clients',
          object({ clients: { type: 'array', items: object({ clientId: text, host: text, nodeId }) } }),
        ),
      },
      delete: {
        summary: 'Closes connections: of one client id, to one broker, or all',
        parameters: [inQuery('clientId', text), inQuery('nodeId', nodeId)],
        responses: { ...answers('How many', object({ dropped: whole(0) })), ...refused },
      },
    },
    '/clock': {
      get: { summary: "The broker's time", responses: answers('Time', clock) },
      post: {
        summary: "Moves the broker's time ahead, by at most ten years",
        requestBody: { required: true, ...json(object({ advanceMs: whole(1, 315_360_000_000) })) },
        responses: { ...answers('Time', clock), ...refused },
      },
    },
    '/groups': {
      get: {
        summary: 'All consumer groups',
        responses: answers('Groups', object({ groups: { type: 'array', items: ref('GroupSummary') } })),
      },
    },
    '/groups/{groupId}': {
      parameters: [inPath('groupId')],
      get: { summary: 'One group', responses: { ...answers('The group', ref('Group')), ...missing } },
    },
    '/groups/{groupId}/committed': {
      parameters: [inPath('groupId')],
      get: {
        summary: 'Waits until the group has committed an offset, or a later one; without an offset everything',
        parameters: [
          inQuery('topic', text, true),
          { ...inQuery('partition', place.partition), description: 'Default: all, of which the offset is the sum' },
          inQuery('offset', whole(0)),
          inQuery('timeoutMs', { ...whole(0, MAX_WAIT_MS), default: DEFAULT_WAIT_MS }),
        ],
        responses: { ...answers('What is committed, and whether it is enough', ref('Committed')), ...refused },
      },
    },
    '/groups/{groupId}/stable': {
      parameters: [inPath('groupId')],
      get: {
        summary: 'Waits until the group is stable with so many members; with 0 until it is empty or gone',
        parameters: [
          inQuery('members', whole(0, MAX_MEMBERS), true),
          inQuery('timeoutMs', { ...whole(0, MAX_WAIT_MS), default: DEFAULT_WAIT_MS }),
        ],
        responses: {
          ...answers('The group, and whether it is stable', {
            allOf: [ref('Group'), { type: 'object', properties: { isReached: { type: 'boolean' } } }],
          }),
          ...refused,
        },
      },
    },
    '/brokers': {
      get: {
        summary: 'All brokers',
        responses: answers('Brokers', object({ brokers: { type: 'array', items: ref('Broker') } })),
      },
    },
    '/brokers/{nodeId}': {
      parameters: [inPath('nodeId')],
      get: { summary: 'One broker', responses: { ...answers('The broker', ref('Broker')), ...missing } },
    },
    '/brokers/{nodeId}/stop': changes('Stops a broker in order: others lead what it led'),
    '/brokers/{nodeId}/kill': changes('Kills a broker: its connections break, and it saves nothing'),
    '/brokers/{nodeId}/start': changes('Starts a broker again, on its port and with its records'),
    '/leaders': {
      post: {
        summary: 'Makes a replica in sync the leader of a partition',
        requestBody: { required: true, ...json(object({ ...place, nodeId }, ['topic', 'nodeId'])) },
        responses: { ...answers('It leads', object({ ...place, nodeId })), ...refused },
      },
    },
    '/reset': {
      post: {
        summary: 'Empties the cluster, and creates the topics and users of its options again',
        responses: { ...nothing, ...refused },
      },
    },
  },
  components: {
    schemas: {
      ...rules,
      GroupSummary: object({ groupId: text, state: text, members: whole(0), lag: whole(0) }),
      Group: object({
        ...{ groupId: text, state: text, members: whole(0), lag: whole(0) },
        partitions: {
          type: 'array',
          items: object({ topic: text, partition: whole(0), offset: whole(0), lag: whole(0) }),
        },
      }),
      Committed: object(
        {
          ...{ groupId: text, ...place },
          offset: { type: ['integer', 'null'], description: 'Without a partition the sum of all' },
          isReached: { type: 'boolean' },
        },
        ['groupId', 'topic', 'offset', 'isReached'],
      ),
      Broker: object({
        ...{ nodeId, rack: { type: ['string', 'null'] }, bootstrapServers: text },
        isRunning: { type: 'boolean' },
      }),
      Problem: {
        type: 'object',
        properties: { title: text, status: whole(400), detail: text, field: text },
        required: ['title', 'status'],
      },
    },
  },
}
