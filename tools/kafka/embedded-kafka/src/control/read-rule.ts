import { randomInt } from 'node:crypto'
import { ControlError } from '../errors.ts'
import { GROUP_APIS, TOPIC_APIS, TRANSACTION_APIS } from '../faults/fault-target.ts'
import { type FaultRule, PARTITION_APIS } from '../faults/rule.ts'
import { API_VERSIONS } from '../protocol/api-versions.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { Fields, given } from './fields.ts'

export const MAX_LASTS_MS = 3_600_000
export const MAX_DELAY_MS = 60_000
export const MAX_TIMES = 1_000_000
const MAX_INT32 = 2 ** 31 - 1
export const MAX_SEED = 2 ** 32 - 1

export const API_NAMES: readonly string[] = Object.keys(API_VERSIONS)
/** Errors that can be answered: all but NONE. */
export const ERROR_NAMES = Object.keys(ErrorCode).filter((name) => name !== 'NONE') as (keyof typeof ErrorCode)[]
const KINDS = ['error', 'delay', 'drop', 'black-hole', 'pause', 'leaderless', 'away'] as const

/** A name in requests of these APIs; refused for an API that has none. */
function nameIn(apis: readonly string[], fields: Fields, { name, api }: { name: string; api: string | undefined }) {
  const value = fields.text(name)
  if (value === undefined || api === undefined || apis.includes(api)) return value
  throw new ControlError(name, `${name} must not be given for ${api}; it can be for ${apis.join(', ')}`)
}

function placeOf(fields: Fields, api: string | undefined, isPerPartition: boolean) {
  const topic = nameIn(TOPIC_APIS, fields, { name: 'topic', api })
  const partition = fields.whole('partition', 0, MAX_INT32)
  if (partition !== undefined && (topic === undefined || (api === 'Metadata' && isPerPartition))) {
    const reason = topic === undefined ? 'without a topic' : 'for Metadata, which refuses topics'
    throw new ControlError('partition', `partition must not be given ${reason}; got ${partition}`)
  }
  return { topic, partition }
}

function keysOf(fields: Fields, api: string | undefined) {
  return {
    groupId: nameIn(GROUP_APIS, fields, { name: 'groupId', api }),
    transactionalId: nameIn(TRANSACTION_APIS, fields, { name: 'transactionalId', api }),
  }
}

function frequencyOf(fields: Fields, defaultTimes?: number) {
  const probability = fields.share('probability')
  const seed = fields.whole('seed', 0, MAX_SEED)
  if (seed !== undefined && probability === undefined) {
    throw new ControlError('seed', `seed must not be given without a probability; got ${seed}`)
  }
  return {
    times: fields.whole('times', 1, MAX_TIMES) ?? (probability === undefined ? defaultTimes : undefined),
    probability,
    seed: probability === undefined ? undefined : (seed ?? randomInt(MAX_SEED)),
  }
}

/** The ids of a cluster's brokers. */
export interface NodeIds {
  readonly first: number
  readonly last: number
}

/**
 * A rule that was given from outside, for a cluster of these brokers.
 * @throws {ControlError} with the field that is wrong
 */
export function readRule(input: unknown, ids: NodeIds): FaultRule {
  const fields = new Fields(input, 'rule')
  const kind = fields.requiredOneOf('kind', KINDS)
  const rule = readKind(kind, fields)
  const clientId = clientOf(fields, kind)
  const limits = {
    clientId,
    nodeId: fields.whole('nodeId', ids.first, ids.last),
    expiresInMs: fields.whole('expiresInMs', 1, MAX_LASTS_MS),
  }
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
  if (kind === 'away') return { kind }
  if (kind === 'pause' || kind === 'leaderless') {
    return { kind, topic: fields.requiredText('topic'), partition: fields.whole('partition', 0, MAX_INT32) }
  }
  if (kind === 'delay') {
    const api = fields.oneOf('api', API_NAMES)
    const delayMs = fields.requiredWhole('delayMs', 1, MAX_DELAY_MS)
    return { kind, api, delayMs, ...placeOf(fields, api, false), ...keysOf(fields, api), ...frequencyOf(fields) }
  }
  const after = fields.flag('after')
  if (kind === 'error') {
    const api = fields.requiredOneOf('api', API_NAMES)
    const error = fields.requiredOneOf('error', ERROR_NAMES)
    const place = placeOf(fields, api, after !== true && PARTITION_APIS.includes(api))
    return { kind, api, error, after, ...place, ...keysOf(fields, api), ...frequencyOf(fields, 1) }
  }
  const api = fields.oneOf('api', API_NAMES)
  const often = frequencyOf(fields, kind === 'drop' ? 1 : undefined)
  return { kind, api, after, ...placeOf(fields, api, false), ...keysOf(fields, api), ...often }
}
