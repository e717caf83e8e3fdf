import type { Control, SetRule } from './control.ts'
import { Fields } from './fields.ts'
import { DEFAULT_WAIT_MS, MAX_WAIT_MS } from './groups.ts'
import { openApi } from './openapi.ts'

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

type Handler = (request: ControlRequest, control: Control) => ControlAnswer | undefined | Promise<ControlAnswer>

function ok(content: object): ControlAnswer {
  return { status: 200, content }
}

function shown({ id, rule, hits, expiresInMs }: SetRule): object {
  return { id, ...rule, hits, expiresInMs }
}

/** The parameters of a query; those of `numbers` as numbers. */
function queryFields(query: URLSearchParams, numbers: readonly string[] = []): Fields {
  const values = [...query].map(([name, value]) => [name, numbers.includes(name) && value ? Number(value) : value])
  return new Fields(Object.fromEntries(values), 'query')
}

async function committed({ names, query, signal }: ControlRequest, control: Control): Promise<ControlAnswer> {
  const fields = queryFields(query, ['partition', 'offset', 'timeoutMs'])
  const wanted = {
    groupId: names['groupId'] ?? '',
    topic: fields.requiredText('topic'),
    partition: fields.whole('partition', 0, 2 ** 31 - 1) ?? 0,
    offset: fields.requiredWhole('offset', 0, Number.MAX_SAFE_INTEGER),
    timeoutMs: fields.whole('timeoutMs', 0, MAX_WAIT_MS) ?? DEFAULT_WAIT_MS,
  }
  fields.end()
  const { groupId, topic, partition } = wanted
  try {
    const offset = await control.waitForCommitted({ ...wanted, signal })
    return ok({ groupId, topic, partition, offset, isReached: true })
  } catch {
    const found = control
      .group(groupId)
      ?.partitions.find((each) => each.topic === topic && each.partition === partition)
    return ok({ groupId, topic, partition, offset: found?.offset ?? null, isReached: false })
  }
}

/** Every method and path of the control API. */
export const CONTROL_ROUTES: Readonly<Record<string, Handler>> = {
  'GET /openapi.json': () => ok(openApi),
  'GET /rules': (_request, control) => ok({ rules: control.rules.map(shown) }),
  'POST /rules': ({ body }, control) => ({ status: 201, content: shown(control.addRule(body as never)) }),
  'DELETE /rules': (_request, control) => {
    control.clearRules()
    return { status: 204 }
  },
  'GET /rules/{id}': ({ names }, control) => {
    const rule = control.rules.find(({ id }) => id === names['id'])
    return rule && ok(shown(rule))
  },
  'DELETE /rules/{id}': ({ names }, control) => (control.deleteRule(names['id'] ?? '') ? { status: 204 } : undefined),
  'GET /clients': (_request, control) => ok({ clients: control.clients }),
  'DELETE /clients': ({ query }, control) => {
    const fields = queryFields(query)
    const clientId = fields.text('clientId')
    fields.end()
    return ok({ dropped: control.dropConnections(clientId === undefined ? {} : { clientId }) })
  },
  'GET /clock': (_request, control) => ok({ now: new Date(control.now()).toISOString() }),
  'POST /clock': ({ body }, control) => {
    const fields = new Fields(body, 'body')
    const ms = fields.requiredWhole('advanceMs', 1, Number.MAX_SAFE_INTEGER)
    fields.end()
    control.advanceClock(ms)
    return ok({ now: new Date(control.now()).toISOString() })
  },
  'GET /groups': (_request, control) => ok({ groups: control.groups }),
  'GET /groups/{groupId}': ({ names }, control) => {
    const group = control.group(names['groupId'] ?? '')
    return group && ok(group)
  },
  'GET /groups/{groupId}/committed': committed,
}
