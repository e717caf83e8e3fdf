import type { EmbeddedBroker } from '../cluster-broker.ts'
import { WaitError } from '../errors.ts'
import type { Control, SetRule } from './control.ts'
import { Fields, given } from './fields.ts'
import { goneGroup } from './groups.ts'
import { openApi } from './openapi.ts'
import { MAX_MEMBERS, MAX_WAIT_MS } from './waits.ts'

/** A request that was read. */
export interface ControlRequest {
  /** The parts of the path that the route leaves open, decoded. */
  readonly names: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The JSON of the body, undefined without one. */
  readonly body: unknown
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal
}

/** Undefined content: 204; undefined answer: there is no such thing. */
interface ControlAnswer {
  readonly status: number
  readonly content?: object
}

/** The cluster that the routes control. */
export interface Controlled {
  readonly control: Control
  /** By their node ids. */
  readonly brokers: readonly EmbeddedBroker[]
}

type Handler = (
  request: ControlRequest,
  cluster: Controlled,
) => ControlAnswer | undefined | Promise<ControlAnswer | undefined>

function ok(content: object): ControlAnswer {
  return { status: 200, content }
}

function shown({ id, rule, hits, expiresInMs }: SetRule): object {
  return { id, ...rule, hits, expiresInMs }
}

/** The parameters of a query; those of `numbers` as numbers where they are some. */
function queryFields(query: URLSearchParams, numbers: readonly string[] = []): Fields {
  const numberOf = (name: string, text: string) =>
    numbers.includes(name) && text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text
  return new Fields(Object.fromEntries([...query].map(([name, text]) => [name, numberOf(name, text)])), 'query')
}

/** Refuses fields in the body of a request that has none. */
function noFields(body: unknown): void {
  new Fields(body ?? {}, 'body').end()
}

/** True once it resolves, false when it was not in time. */
async function isInTime(wait: Promise<unknown>): Promise<boolean> {
  try {
    await wait
    return true
  } catch (error) {
    if (error instanceof WaitError) return false
    throw error
  }
}

async function committed({ names, query, signal }: ControlRequest, { control }: Controlled): Promise<ControlAnswer> {
  const fields = queryFields(query, ['partition', 'offset', 'timeoutMs'])
  const wanted = given({
    groupId: names['groupId'] ?? '',
    topic: fields.requiredText('topic'),
    partition: fields.whole('partition', 0, 2 ** 31 - 1),
    offset: fields.whole('offset', 0, Number.MAX_SAFE_INTEGER),
    timeoutMs: fields.whole('timeoutMs', 0, MAX_WAIT_MS),
  })
  fields.end()
  const { groupId, topic, partition } = wanted
  const isReached = await isInTime(control.waitForCommitted({ ...wanted, signal }))
  const found = (control.group(groupId)?.partitions ?? []).filter(
    (each) => each.topic === topic && (partition ?? each.partition) === each.partition,
  )
  const offset = found.length === 0 ? null : found.reduce((sum, each) => sum + each.offset, 0)
  return ok({ groupId, topic, ...given({ partition }), offset, isReached })
}

async function stable({ names, query, signal }: ControlRequest, { control }: Controlled): Promise<ControlAnswer> {
  const fields = queryFields(query, ['members', 'timeoutMs'])
  const wanted = given({
    groupId: names['groupId'] ?? '',
    members: fields.requiredWhole('members', 0, MAX_MEMBERS),
    timeoutMs: fields.whole('timeoutMs', 0, MAX_WAIT_MS),
  })
  fields.end()
  const isReached = await isInTime(control.waitForGroup({ ...wanted, signal }))
  const { groupId } = wanted
  return ok({ ...(control.group(groupId) ?? goneGroup(groupId)), isReached })
}

function shownBroker({ nodeId, rack, bootstrapServers, isRunning }: EmbeddedBroker): object {
  return { nodeId, rack, bootstrapServers, isRunning }
}

function findBroker({ names }: ControlRequest, { brokers }: Controlled): EmbeddedBroker | undefined {
  return brokers.find(({ nodeId }) => String(nodeId) === names['nodeId'])
}

/** The first id and the last one. */
function nodeIds(brokers: readonly EmbeddedBroker[]): [number, number] {
  const ids = brokers.map(({ nodeId }) => nodeId)
  return [Math.min(...ids), Math.max(...ids)]
}

/** Changes whether a broker runs, and answers when it is done. */
function changing(change: 'stop' | 'kill' | 'start'): Handler {
  return async (request, cluster) => {
    noFields(request.body)
    const broker = findBroker(request, cluster)
    await broker?.[change]()
    return broker && ok(shownBroker(broker))
  }
}

/** Every method and path of the control API. */
export const CONTROL_ROUTES: Readonly<Record<string, Handler>> = {
  'GET /openapi.json': () => ok(openApi),
  'GET /rules': (_request, { control }) => ok({ rules: control.rules.map(shown) }),
  'POST /rules': ({ body }, { control }) => ({ status: 201, content: shown(control.addRule(body as never)) }),
  'DELETE /rules': (_request, { control }) => {
    control.clearRules()
    return { status: 204 }
  },
  'GET /rules/{id}': ({ names }, { control }) => {
    const rule = control.rules.find(({ id }) => id === names['id'])
    return rule && ok(shown(rule))
  },
  'DELETE /rules/{id}': ({ names }, { control }) =>
    control.deleteRule(names['id'] ?? '') ? { status: 204 } : undefined,
  'GET /clients': (_request, { control }) => ok({ clients: control.clients }),
  'DELETE /clients': ({ query }, { control, brokers }) => {
    const fields = queryFields(query, ['nodeId'])
    const [clientId, nodeId] = [fields.text('clientId'), fields.whole('nodeId', ...nodeIds(brokers))]
    fields.end()
    return ok({ dropped: control.dropConnections(given({ clientId, nodeId })) })
  },
  'GET /clock': (_request, { control }) => ok({ now: new Date(control.now()).toISOString() }),
  'POST /clock': ({ body }, { control }) => {
    const fields = new Fields(body, 'body')
    const ms = fields.requiredWhole('advanceMs', 1, Number.MAX_SAFE_INTEGER)
    fields.end()
    control.advanceClock(ms)
    return ok({ now: new Date(control.now()).toISOString() })
  },
  'GET /groups': (_request, { control }) => ok({ groups: control.groups }),
  'GET /groups/{groupId}': ({ names }, { control }) => {
    const group = control.group(names['groupId'] ?? '')
    return group && ok(group)
  },
  'GET /groups/{groupId}/committed': committed,
  'GET /groups/{groupId}/stable': stable,
  'GET /brokers': (_request, { brokers }) => ok({ brokers: brokers.map(shownBroker) }),
  'GET /brokers/{nodeId}': (request, cluster) => {
    const broker = findBroker(request, cluster)
    return broker && ok(shownBroker(broker))
  },
  'POST /brokers/{nodeId}/stop': changing('stop'),
  'POST /brokers/{nodeId}/kill': changing('kill'),
  'POST /brokers/{nodeId}/start': changing('start'),
  'POST /leaders': ({ body }, { control, brokers }) => {
    const fields = new Fields(body, 'body')
    const move = {
      topic: fields.requiredText('topic'),
      partition: fields.whole('partition', 0, 2 ** 31 - 1) ?? 0,
      nodeId: fields.requiredWhole('nodeId', ...nodeIds(brokers)),
    }
    fields.end()
    control.moveLeader(move)
    return ok(move)
  },
  'POST /reset': ({ body }, { control }) => {
    noFields(body)
    control.reset()
    return { status: 204 }
  },
}
