import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createKafka, createTopicAdmin, type Overflow, openOutgoing, SendRefusedError } from '../src/index.ts'
import { silentLog } from './silent-log.ts'

const LARGE = { value: 'x'.repeat(5000) }
const REASON = expect.stringMatching(/^MESSAGE_TOO_LARGE: /)

describe.concurrent.each<Overflow>(['drop', 'fail', 'buffer'])(
  'decisions 3.170: a channel with overflow %s',
  (overflow) => {
    it('logs, counts and shows why Kafka refuses messages, until it stores one', async () => {
      await using broker = await startEmbeddedKafka()
      const warnings: object[] = []
      const log = { ...silentLog, warn: (fields: object, msg: string) => void warnings.push({ ...fields, msg }) }
      const kafka = createKafka({ clientId: 'test', bootstrapServers: broker.bootstrapServers, log })
      await using admin = createTopicAdmin(kafka)
      for (const topic of ['beers', 'films']) await admin.ensureTopic(topic, 1, { maxMessageBytes: 1000 })
      await using channel = openOutgoing(kafka, { channel: 'beers', overflow, timeoutMs: 90_000 })
      const sent = () =>
        channel.send({ value: 'small' }).then(
          ({ accepted }) => accepted,
          () => false,
        )
      // A channel that does not buffer needs its connection first.
      await waitFor('the connection', sent)
      const before = channel.counters.failed

      const refused = await channel.send(LARGE).then(
        ({ error }) => error,
        (error: unknown) => error,
      )
      expect(refused).toBeInstanceOf(SendRefusedError)
      await channel.send(LARGE).catch(() => undefined)
      expect(channel.counters.failed).toBe(before + 2)
      const check = () => channel.check.check(AbortSignal.timeout(30_000))
      expect(await check()).toMatchObject({ status: 'UP', data: { failed: before + 2, lastRefusal: REASON } })
      expect(warnings).toEqual([{ channel: 'beers', topic: 'beers', reason: REASON, msg: 'kafka refuses messages' }])

      expect(await sent()).toBe(true)
      expect((await check()).data).not.toHaveProperty('lastRefusal')

      // The warning of each topic comes once a minute, also when other messages are stored meanwhile.
      await channel.send(LARGE).catch(() => undefined)
      await channel.send({ ...LARGE, topic: 'films' }).catch(() => undefined)
      expect(warnings.slice(1)).toMatchObject([{ channel: 'beers', topic: 'films', reason: REASON }])
    })
  },
)
