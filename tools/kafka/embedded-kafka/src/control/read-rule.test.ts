import { describe, expect, it } from 'vitest'
import { ControlError } from '../errors.ts'
import { readRule as readFor } from './read-rule.ts'

const readRule = (rule: unknown) => readFor(rule, { first: 1, last: 9 })

describe('readRule', () => {
  it('takes each kind, with a default of one request for errors', () => {
    const error = { kind: 'error', api: 'Fetch', error: 'OFFSET_OUT_OF_RANGE', topic: 't', partition: 0 }
    expect(readRule(error)).toEqual({ ...error, times: 1 })
    for (const rule of [
      { kind: 'delay', delayMs: 1 },
      { kind: 'delay', delayMs: 60_000, api: 'Heartbeat', times: 2, clientId: 'c', expiresInMs: 1 },
      { kind: 'pause', topic: 't' },
      { kind: 'leaderless', topic: 't', partition: 3, expiresInMs: 3_600_000 },
      { kind: 'away', expiresInMs: 1, nodeId: 9 },
      { kind: 'black-hole', api: 'Fetch', topic: 't', partition: 0, after: false },
      { kind: 'drop', groupId: 'g', transactionalId: 'x', times: 3, nodeId: 1 },
      { kind: 'delay', delayMs: 5, api: 'EndTxn', transactionalId: 'x', probability: 1, seed: 4_294_967_295 },
      {
        kind: 'error',
        api: 'Metadata',
        error: 'UNKNOWN_SERVER_ERROR',
        topic: 't',
        partition: 1,
        after: true,
        times: 1,
      },
    ]) {
      expect(readRule(rule)).toEqual(rule)
    }
  })

  it('strikes once where nothing says how often, and draws a seed for a probability', () => {
    expect(readRule({ kind: 'drop' })).toEqual({ kind: 'drop', times: 1 })
    expect(readRule({ kind: 'black-hole' })).toEqual({ kind: 'black-hole' })
    const drawn = readRule({ kind: 'drop', probability: 0.5 })
    expect(drawn).toEqual({ kind: 'drop', probability: 0.5, seed: expect.any(Number) })
  })

  it.each([
    ['no object', 'x', 'rule', /rule must be an object; got "x"/],
    ['a list', [], 'rule', /rule must be an object/],
    ['no kind', {}, 'kind', /kind must be one of error, delay, drop, black-hole, pause, leaderless, away; got nothing/],
    ['a kind of its own', { kind: 'crash' }, 'kind', /got "crash"/],
    ['an error of no API', { kind: 'error', error: 'INVALID_REQUEST' }, 'api', /one of Produce/],
    ['a client of a broker that is away', { kind: 'away', clientId: 'c' }, 'clientId', /for all clients; got c/],
    ['an error without a name', { kind: 'error', api: 'Fetch', error: 6 }, 'error', /one of .*NOT_LEADER.*got 6/],
    ['no error', { kind: 'error', api: 'Fetch', error: 'NONE' }, 'error', /got "NONE"/],
    [
      'a topic of a group',
      { kind: 'error', api: 'Heartbeat', error: 'NOT_COORDINATOR', topic: 't' },
      'topic',
      /Heartbeat/,
    ],
    [
      'a partition of no topic',
      { kind: 'error', api: 'Fetch', error: 'NOT_LEADER_OR_FOLLOWER', partition: 1 },
      'partition',
      /without a topic/,
    ],
    [
      'no times at all',
      { kind: 'error', api: 'Fetch', error: 'NOT_LEADER_OR_FOLLOWER', times: 0 },
      'times',
      /from 1 to 1000000; got 0/,
    ],
    ['a delay beyond a minute', { kind: 'delay', delayMs: 60_001 }, 'delayMs', /from 1 to 60000; got 60001/],
    ['no delay', { kind: 'delay' }, 'delayMs', /got nothing/],
    ['an unknown API', { kind: 'delay', delayMs: 1, api: 'Fetsch' }, 'api', /one of Produce, Fetch/],
    ['a group of Fetch', { kind: 'drop', api: 'Fetch', groupId: 'g' }, 'groupId', /not be given for Fetch; it can be/],
    [
      'a transaction of Fetch',
      { kind: 'drop', api: 'Fetch', transactionalId: 'x' },
      'transactionalId',
      /for Produce|for Find/,
    ],
    ['a broker beyond the cluster', { kind: 'away', nodeId: 10 }, 'nodeId', /from 1 to 9; got 10/],
    ['no probability at all', { kind: 'drop', probability: 0 }, 'probability', /above 0, at most 1; got 0/],
    ['more than certain', { kind: 'drop', probability: 1.1 }, 'probability', /above 0, at most 1; got 1.1/],
    ['a seed of nothing', { kind: 'drop', seed: 1 }, 'seed', /without a probability; got 1/],
    ['an unclear after', { kind: 'drop', after: 'yes' }, 'after', /true or false; got "yes"/],
    ['a delay after the work', { kind: 'delay', delayMs: 1, after: true }, 'after', /not known here/],
    ['a pause of nothing', { kind: 'pause' }, 'topic', /topic must be a text; got/],
    ['a negative partition', { kind: 'pause', topic: 't', partition: -1 }, 'partition', /got -1/],
    ['a rule for ever', { kind: 'pause', topic: 't', expiresInMs: 3_600_001 }, 'expiresInMs', /to 3600000/],
    ['a long client id', { kind: 'pause', topic: 't', clientId: 'x'.repeat(1001) }, 'clientId', /at most 1000/],
    ['a field of another kind', { kind: 'pause', topic: 't', times: 1 }, 'times', /times is not known here/],
    ['an inherited name', { kind: 'pause', topic: 't', toString: 1 }, 'toString', /not known/],
  ])('refuses %s, naming the field', (_what, rule, field, message) => {
    expect(() => readRule(rule)).toThrow(ControlError)
    expect(() => readRule(rule)).toThrow(expect.objectContaining({ field, message: expect.stringMatching(message) }))
  })
})
