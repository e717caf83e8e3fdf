import { createAuthority, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KafkaSecurity, openIncoming, openOutgoing } from '../src/index.ts'
import { unique } from './broker.ts'
import { outcomeOf, reasonWhenDown, untilUp } from './checks.ts'
import {
  alice,
  asClient,
  authority,
  expectEveryChannelToWork,
  openSecuredClients,
  SECRET,
  type SecuredClients,
  tls,
  unsecuredToken,
} from './secured-client.ts'

describe('Kafka with TLS and SASL', () => {
  let secured: SecuredClients
  beforeAll(async () => {
    secured = await openSecuredClients()
  })
  afterAll(() => secured?.[Symbol.asyncDispose]())

  it('decisions 3.25: every channel works with SCRAM-SHA-512', async () => {
    const security: KafkaSecurity = { tls, sasl: { mechanism: 'SCRAM-SHA-512', ...alice } }
    await expectEveryChannelToWork(secured.clientOf(secured.broker.sasl, security))
  })

  it('decisions 3.28: a connection whose session at Kafka ends authenticates anew, and nothing breaks', async () => {
    let tokens = 0
    const token = () => Promise.resolve(unsecuredToken(3600, ++tokens))
    const kafka = secured.clientOf(secured.broker.sasl, { tls, sasl: { mechanism: 'OAUTHBEARER', token } })
    const topic = unique('beer')
    await using outgoing = openOutgoing(kafka, { channel: 'beers', topic, timeoutMs: 60_000 })
    await using incoming = openIncoming(kafka, { channel: 'beers', topic, onMessage: () => undefined })
    await incoming.assigned
    await outgoing.send({ value: 'Duvel' })
    const atFirst = tokens
    const { restarts } = incoming.counters
    await waitFor(
      'further tokens',
      async () => {
        await outgoing.send({ value: 'Duvel' })
        return tokens >= atFirst + 6
        // Each attempt sends a message.
      },
      { intervalMs: 250 },
    )
    expect(incoming.counters.restarts, secured.text().slice(-5000)).toBe(restarts)
    expect(secured.text()).not.toContain('kafka producer lost')
  })

  it('decisions 3.27: what Kafka refuses is said, and mended without a restart', async () => {
    const wrong = { ...alice, password: `${SECRET}-2` }
    const kafka = secured.clientOf(secured.broker.sasl, { tls, sasl: { mechanism: 'SCRAM-SHA-512', ...wrong } })
    await using outgoing = openOutgoing(kafka, { channel: 'beers' })
    await using incoming = openIncoming(kafka, { channel: 'beers', onMessage: () => undefined })
    for (const channel of [outgoing, incoming]) {
      expect(await reasonWhenDown(channel)).toBe('Kafka refused the password of user alice (SASL SCRAM-SHA-512)')
    }
    await secured.broker.setPassword('alice', wrong.password)
    await untilUp(outgoing, incoming)
    await secured.broker.setPassword('alice', SECRET)
  })

  it('decisions 3.27: so is what this client lacks', async () => {
    const cases: readonly [string, KafkaSecurity, RegExp][] = [
      [secured.broker.sasl, {}, /TLS/],
      [secured.broker.sasl, { tls }, /perhaps it wants SASL/],
      [secured.broker.mutual, { tls }, /refused the TLS connection/],
      [
        secured.broker.mutual,
        { tls: asClient, sasl: { mechanism: 'PLAIN', ...alice } },
        /does not take SASL at this port/,
      ],
      [
        secured.broker.sasl,
        { tls, sasl: { mechanism: 'PLAIN', ...alice, password: 'x' } },
        /refused the password of user alice/,
      ],
      [
        secured.broker.sasl,
        { tls, sasl: { mechanism: 'OAUTHBEARER', token: () => Promise.resolve(unsecuredToken(-60)) } },
        /refused the token/,
      ],
      [secured.broker.sasl, { tls: { ...tls, serverName: 'kafka.example' } }, /is not for kafka\.example/],
    ]
    for (const [servers, security, expected] of cases) {
      await using outgoing = openOutgoing(secured.clientOf(servers, security), { channel: 'beers' })
      expect(await reasonWhenDown(outgoing)).toMatch(expected)
      expect(JSON.stringify(await outcomeOf(outgoing))).not.toContain(SECRET)
    }
  })

  it('decisions 3.27: a certificate that the broker gets anew is taken by clients that are running', async () => {
    const kafka = secured.clientOf(secured.broker.sasl, { tls, sasl: { mechanism: 'PLAIN', ...alice } })
    await secured.broker.replaceCertificate(createAuthority('another CA'))
    await using outgoing = openOutgoing(kafka, { channel: 'beers' })
    expect(await reasonWhenDown(outgoing)).toContain('is of a CA that is not trusted here')
    await secured.broker.replaceCertificate(authority)
    await untilUp(outgoing)
  })
})
