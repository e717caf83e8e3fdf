import { describe, expect, it } from 'vitest'
import { openTestBroker } from '../../tests/open-test-broker.ts'
import { apis } from '../apis/apis.ts'
import { MalformedFrameError } from '../errors.ts'
import { ClientSession } from '../security/session.ts'
import { answer } from './request.ts'

const ROUNDS = 30

/** A repeatable source of whole numbers (mulberry32). */
function makeRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Mostly small bytes, as lengths and counts are, so that decoding gets deep into a request. */
function randomBody(random: (below: number) => number): Buffer {
  return Buffer.from(Array.from({ length: random(80) }, () => (random(4) === 0 ? random(256) : random(3))))
}

function frameOf(key: number, version: number, body: Buffer): Buffer {
  const header = Buffer.alloc(10)
  header.writeInt16BE(key, 0)
  header.writeInt16BE(version, 2)
  header.writeInt16BE(-1, 8)
  return Buffer.concat([header, body])
}

/** Rules that may be for any request. */
const RULES = {
  '': () => undefined,
  ', refused by a rule': (api: string) => ({ kind: 'error', api, error: 'NOT_COORDINATOR' }) as const,
  ', and spoils the answer by a rule': (api: string) =>
    ({ kind: 'error', api, error: 'NOT_COORDINATOR', after: true, topic: 't' }) as const,
}

describe.each(Object.entries(RULES))('answer%s', (_name, ruleFor) => {
  for (const api of apis.values()) {
    it(`answers or refuses whatever is sent as ${api.name}`, async () => {
      const rule = ruleFor(api.name)
      const limits = {
        maxPartitions: 100,
        maxTopicPartitions: 100,
        maxGroups: 100,
        maxGroupMembers: 100,
        maxTransactionalIds: 100,
      }
      const broker = openTestBroker({
        limits,
      })
      broker.topics.create('t')
      if (rule) broker.faults.add(rule)
      const random = makeRandom(api.key + 1)
      const gone = AbortSignal.abort()
      const connection = {
        broker,
        clientHost: '/',
        listener: 'PLAINTEXT',
        session: new ClientSession(),
        address: { host: 'h', port: 1 },
        signal: gone,
      }
      const unexpected: unknown[] = []
      const answers: Promise<unknown>[] = []
      for (let version = api.minVersion; version <= api.maxVersion; version += 1) {
        for (let round = 0; round < ROUNDS; round += 1) {
          const frame = frameOf(api.key, version, randomBody(random))
          answers.push(
            answer(frame, connection).catch((error: unknown) => {
              if (!(error instanceof MalformedFrameError)) unexpected.push(error)
            }),
          )
        }
      }
      // Ends what waits for other members of its group.
      broker.close()
      await Promise.all(answers)
      expect(unexpected).toEqual([])
    })
  }
})
