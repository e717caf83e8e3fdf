import { PARTITION_APIS } from '../faults/rule.ts'
import { API_VERSIONS } from '../protocol/api-versions.ts'
import { ERROR_APIS, ERROR_NAMES } from './read-rule.ts'

const whole = (minimum: number, maximum?: number) => ({ type: 'integer', minimum, ...(maximum && { maximum }) })
const text = { type: 'string', maxLength: 1000 }
const limits = { clientId: text, expiresInMs: { ...whole(1, 3_600_000), default: 600_000 } }
const place = { topic: text, partition: whole(0, 2 ** 31 - 1) }

function object(properties: object, required: readonly string[] = Object.keys(properties)) {
  return { type: 'object', properties, required, additionalProperties: false }
}

function rule(kind: string, properties: object, required: readonly string[]) {
  return object({ kind: { const: kind }, ...properties, ...limits }, ['kind', ...required])
}

const rules = {
  ErrorRule: {
    description: `The next requests get an error. Topic and partition only for ${PARTITION_APIS.join(', ')}.`,
    ...rule(
      'error',
      {
        api: { enum: ERROR_APIS },
        error: { enum: ERROR_NAMES },
        ...place,
        times: { ...whole(1, 1_000_000), default: 1 },
      },
      ['api', 'error'],
    ),
  },
  DelayRule: {
    description: 'Requests are answered later.',
    ...rule(
      'delay',
      {
        api: { enum: Object.keys(API_VERSIONS) },
        delayMs: whole(1, 60_000),
        times: whole(1, 1_000_000),
      },
      ['delayMs'],
    ),
  },
  PauseRule: { description: 'Produce and Fetch wait until the rule is gone.', ...rule('pause', place, ['topic']) },
  LeaderlessRule: { description: 'The partition has no leader.', ...rule('leaderless', place, ['topic']) },
  AwayRule: {
    description: 'The broker is away: its connections are cut, and its ports closed.',
    ...object({ kind: { const: 'away' }, expiresInMs: limits.expiresInMs }, ['kind']),
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
const nothing = { '204': { description: 'Done' } }
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text })
const inQuery = (name: string, schema: object, required = false) => ({ name, in: 'query', required, schema })
const anyRule = { oneOf: Object.keys(rules).map(ref) }
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
          object({ clients: { type: 'array', items: object({ clientId: text, host: text }) } }),
        ),
      },
      delete: {
        summary: 'Closes connections: of one client id, or all',
        parameters: [inQuery('clientId', text)],
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
        summary: 'Waits until the group has committed an offset, or a later one',
        parameters: [
          inQuery('topic', text, true),
          inQuery('partition', { ...whole(0, 2 ** 31 - 1), default: 0 }),
          inQuery('offset', whole(0), true),
          inQuery('timeoutMs', { ...whole(0, 300_000), default: 30_000 }),
        ],
        responses: { ...answers('What is committed, and whether it is enough', ref('Committed')), ...refused },
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
      Committed: object({
        ...{ groupId: text, topic: text, partition: whole(0) },
        offset: { type: ['integer', 'null'] },
        isReached: { type: 'boolean' },
      }),
      Problem: {
        type: 'object',
        properties: { title: text, status: whole(400), detail: text, field: text },
        required: ['title', 'status'],
      },
    },
  },
}
