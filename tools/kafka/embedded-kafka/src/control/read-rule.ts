import { ControlError } from '../errors.ts'
import { WHOLE_APIS } from '../faults/refused-answer.ts'
import { type FaultRule, PARTITION_APIS } from '../faults/rule.ts'
import { API_VERSIONS } from '../protocol/api-versions.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { Fields } from './fields.ts'

const MAX_LASTS_MS = 3_600_000
const MAX_DELAY_MS = 60_000
const MAX_TIMES = 1_000_000
const MAX_INT32 = 2 ** 31 - 1

/** APIs that can be answered with an error. */
export const ERROR_APIS: readonly string[] = [...PARTITION_APIS, ...WHOLE_APIS]
/** Errors that can be answered: all but NONE. */
export const ERROR_NAMES = Object.keys(ErrorCode).filter((name) => name !== 'NONE') as (keyof typeof ErrorCode)[]
const KINDS = ['error', 'delay', 'pause', 'leaderless', 'away'] as const

/** Leaves out what is not given, as rules are shown to whoever lists them. */
function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}

function topicOf(fields: Fields, api: string) {
  const [topic, partition] = [fields.text('topic'), fields.whole('partition', 0, MAX_INT32)]
  const isOfPartitions = (PARTITION_APIS as readonly string[]).includes(api)
  if (topic !== undefined && !isOfPartitions) {
    throw new ControlError('topic', `topic must not be given for ${api}; it can be for ${PARTITION_APIS.join(', ')}`)
  }
  if (partition !== undefined && (topic === undefined || api === 'Metadata')) {
    const reason = topic === undefined ? 'without a topic' : 'for Metadata, which refuses topics'
    throw new ControlError('partition', `partition must not be given ${reason}; got ${partition}`)
  }
  return { topic, partition }
}

/**
 * A rule that was given from outside.
 * @throws {ControlError} with the field that is wrong
 */
export function readRule(input: unknown): FaultRule {
  const fields = new Fields(input, 'rule')
  const kind = fields.requiredOneOf('kind', KINDS)
  const rule = readKind(kind, fields)
  const limits = { clientId: clientOf(fields, kind), expiresInMs: fields.whole('expiresInMs', 1, MAX_LASTS_MS) }
  fields.end()
  return given({ ...rule, ...limits }) as FaultRule
}

/** A connection that is not let in has said nothing of who it is. */
function clientOf(fields: Fields, kind: string): string | undefined {
  const clientId = fields.text('clientId')
  if (clientId === undefined || kind !== 'away') return clientId
  throw new ControlError('clientId', `clientId must not be given: away is for all clients; got ${clientId}`)
}

function readKind(kind: (typeof KINDS)[number], fields: Fields): object {
  if (kind === 'error') {
    const api = fields.requiredOneOf('api', ERROR_APIS)
    const error = fields.requiredOneOf('error', ERROR_NAMES)
    return { kind, api, error, ...topicOf(fields, api), times: fields.whole('times', 1, MAX_TIMES) ?? 1 }
  }
  if (kind === 'delay') {
    const [api, delayMs] = [
      fields.oneOf('api', Object.keys(API_VERSIONS)),
      fields.requiredWhole('delayMs', 1, MAX_DELAY_MS),
    ]
    return { kind, api, delayMs, times: fields.whole('times', 1, MAX_TIMES) }
  }
  if (kind === 'away') return { kind }
  return { kind, topic: fields.requiredText('topic'), partition: fields.whole('partition', 0, MAX_INT32) }
}
