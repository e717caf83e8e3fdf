import { createAuthority, type SecuredKafka, startSecuredKafka, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKafka, type KafkaSecurity, openIncoming, openOutgoing, openTransform } from '../src/index.ts'
import { unique } from './broker.ts'
import { outcomeOf, reasonWhenDown, untilUp } from './checks.ts'
import { recordLog } from './recorded-log.ts'

const SECRET = 'distinctive-Pa55phrase'
const authority = createAuthority()
const tls = { ca: authority.certificate }
const alice = { username: 'alice', password: SECRET }

describe('Kafka with TLS and SASL', () => {
  let broker: SecuredKafka
  const recorded = recordLog()
  beforeAll(async () => {
    broker = await startSecuredKafka(authority, SECRET)
  })
  afterAll(async () => {
    await broker?.[Symbol.asyncDispose]()
    expect(recorded.text()).not.toContain(SECRET)
  })
  const clientOf = (bootstrapServers: string, security: KafkaSecurity) =>
    createKafka({ clientId: 'secured-test', bootstrapServers, security, log: recorded.log })

  const client = authority.issue({ commonName: 'taproom' })
  const asClient = { ...tls, certificate: client.certificate, key: client.key }
  it.each<[string, KafkaSecurity, 'sasl' | 'mutual']>([
    ['a client certificate', { tls: asClient }, 'mutual'],
    ['PLAIN', { tls, sasl: { mechanism: 'PLAIN', ...alice } }, 'sasl'],
    ['SCRAM-SHA-256', { tls, sasl: { mechanism: 'SCRAM-SHA-256', ...alice } }, 'sasl'],
    ['SCRAM-SHA-512', { tls, sasl: { mechanism: 'SCRAM-SHA-512', ...alice } }, 'sasl'],
    [
      'a token',
      { tls, sasl: { mechanism: 'OAUTHBEARER', token: () => Promise.resolve(unsecuredToken(3600)) } },
      'sasl',
    ],
  ])('decisions 3.25: every channel works with %s', async (_case, security, port) => {
    const kafka = clientOf(broker[port], security)
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
  })

  it('decisions 3.28: a connection whose session at Kafka ends authenticates anew, and nothing breaks', async () => {
    let tokens = 0
    const token = () => Promise.resolve(unsecuredToken(3600, ++tokens))
    const kafka = clientOf(broker.sasl, { tls, sasl: { mechanism: 'OAUTHBEARER', token } })
    const topic = unique('beer')
    await using outgoing = openOutgoing(kafka, { channel: 'beers', topic, timeoutMs: 60_000 })
    await using incoming = openIncoming(kafka, { channel: 'beers', topic, onMessage: () => undefined })
    await incoming.assigned
    await outgoing.send({ value: 'Duvel' })
    const atFirst = tokens
    const { restarts } = incoming.counters
    await waitFor('further tokens', async () => {
      await outgoing.send({ value: 'Duvel' })
      return tokens >= atFirst + 6
    })
    expect(incoming.counters.restarts, recorded.text().slice(-5000)).toBe(restarts)
    expect(recorded.text()).not.toContain('kafka producer lost')
  })

  it('decisions 3.27: what Kafka refuses is said, and mended without a restart', async () => {
    const wrong = { ...alice, password: `${SECRET}-2` }
    const kafka = clientOf(broker.sasl, { tls, sasl: { mechanism: 'SCRAM-SHA-512', ...wrong } })
    await using outgoing = openOutgoing(kafka, { channel: 'beers' })
    await using incoming = openIncoming(kafka, { channel: 'beers', onMessage: () => undefined })
    for (const channel of [outgoing, incoming]) {
      expect(await reasonWhenDown(channel)).toBe('Kafka refused the password of user alice (SASL SCRAM-SHA-512)')
    }
    await broker.setPassword('alice', wrong.password)
    await untilUp(outgoing, incoming)
    await broker.setPassword('alice', SECRET)
  })

  it('decisions 3.27: so is what this client lacks', async () => {
    const cases: readonly [string, KafkaSecurity, RegExp][] = [
      [broker.sasl, {}, /TLS/],
      [broker.sasl, { tls }, /perhaps it wants SASL/],
      [broker.mutual, { tls }, /refused the TLS connection/],
      [broker.mutual, { tls: asClient, sasl: { mechanism: 'PLAIN', ...alice } }, /does not take SASL at this port/],
      [
        broker.sasl,
        { tls, sasl: { mechanism: 'PLAIN', ...alice, password: 'x' } },
        /refused the password of user alice/,
      ],
      [
        broker.sasl,
        { tls, sasl: { mechanism: 'OAUTHBEARER', token: () => Promise.resolve(unsecuredToken(-60)) } },
        /refused the token/,
      ],
      [broker.sasl, { tls: { ...tls, serverName: 'kafka.example' } }, /is not for kafka\.example/],
    ]
    for (const [servers, security, expected] of cases) {
      await using outgoing = openOutgoing(clientOf(servers, security), { channel: 'beers' })
      expect(await reasonWhenDown(outgoing)).toMatch(expected)
      expect(JSON.stringify(await outcomeOf(outgoing))).not.toContain(SECRET)
    }
  })

  it('decisions 3.27: a certificate that the broker gets anew is taken by clients that are running', async () => {
    const kafka = clientOf(broker.sasl, { tls, sasl: { mechanism: 'PLAIN', ...alice } })
    await broker.replaceCertificate(createAuthority('another CA'))
    await using outgoing = openOutgoing(kafka, { channel: 'beers' })
    expect(await reasonWhenDown(outgoing)).toContain('is of a CA that is not trusted here')
    await broker.replaceCertificate(authority)
    await untilUp(outgoing)
  })
})

/** As Kafka takes them when nobody has told it which signatures count. */
function unsecuredToken(livesSeconds: number, number = 0): string {
  const nowSeconds = Math.floor(Date.now() / 1000)
  const parts = [
    { alg: 'none' },
    { sub: 'taproom', jti: String(number), iat: nowSeconds - 120, exp: nowSeconds + livesSeconds },
  ]
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`
}
