import { createAuthority, type SecuredKafka, startSecuredKafka, waitFor } from '@taproom/testkit'
import { expect } from 'vitest'
import {
  createKafka,
  type KafkaClient,
  type KafkaSecurity,
  openIncoming,
  openOutgoing,
  openTransform,
} from '../src/index.ts'
import { unique } from './broker.ts'
import { recordLog } from './recorded-log.ts'

export const SECRET = 'distinctive-Pa55phrase'
export const authority = createAuthority()
/** What a client needs for TLS. */
export const tls = { ca: authority.certificate }
/** What a client needs for a password. */
export const alice = { username: 'alice', password: SECRET }
const client = authority.issue({ commonName: 'taproom' })
/** What a client needs for TLS with a certificate of its own. */
export const asClient = { ...tls, certificate: client.certificate, key: client.key }

/** A Kafka with TLS and SASL, and clients of it with one log. */
export interface SecuredClients extends AsyncDisposable {
  readonly broker: SecuredKafka
  readonly clientOf: (bootstrapServers: string, security: KafkaSecurity) => KafkaClient
  /** The log. */
  readonly text: () => string
}

/** Starts it; when it is disposed of, the log must not have the secret. */
export async function openSecuredClients(): Promise<SecuredClients> {
  const broker = await startSecuredKafka(authority, SECRET)
  const { log, text } = recordLog()
  return {
    broker,
    text,
    clientOf: (bootstrapServers, security) =>
      createKafka({ clientId: 'secured-test', bootstrapServers, security, log }),
    async [Symbol.asyncDispose]() {
      await broker[Symbol.asyncDispose]()
      expect(text()).not.toContain(SECRET)
    },
  }
}

/** Sends a beer through an outgoing channel, a transform and an incoming one. */
export async function expectEveryChannelToWork(kafka: KafkaClient): Promise<void> {
  const topic = unique('beer')
  const seen: string[] = []
  await using transform = openTransform(kafka, {
    channel: 'pricing',
    inputTopic: topic,
    outputTopic: `priced-${topic}`,
    groupId: topic,
    transactionalId: topic,
    transform: ({ value }) => [{ value: `${value} priced` }],
  })
  await using incoming = openIncoming(kafka, {
    channel: 'priced-beer',
    topic: `priced-${topic}`,
    from: 'earliest',
    onMessage: ({ value }) => void seen.push(String(value)),
  })
  await using outgoing = openOutgoing(kafka, { channel: 'beers', topic, timeoutMs: 60_000 })
  await Promise.all([incoming.assigned, transform.assigned])
  await outgoing.send({ value: 'Duvel' })
  await waitFor('the price', () => seen.length > 0)
  expect(seen).toEqual(['Duvel priced'])
}

/** As Kafka takes them when nobody has told it which signatures count. */
export function unsecuredToken(livesSeconds: number, number = 0): string {
  const nowSeconds = Math.floor(Date.now() / 1000)
  const parts = [
    { alg: 'none' },
    { sub: 'taproom', jti: String(number), iat: nowSeconds - 120, exp: nowSeconds + livesSeconds },
  ]
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`
}
