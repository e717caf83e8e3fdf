import { afterAll, beforeAll, describe, it } from 'vitest'
import type { KafkaSecurity } from '../src/index.ts'
import {
  alice,
  asClient,
  expectEveryChannelToWork,
  openSecuredClients,
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

  it.each<[string, KafkaSecurity, 'sasl' | 'mutual']>([
    ['a client certificate', { tls: asClient }, 'mutual'],
    ['PLAIN', { tls, sasl: { mechanism: 'PLAIN', ...alice } }, 'sasl'],
    ['SCRAM-SHA-256', { tls, sasl: { mechanism: 'SCRAM-SHA-256', ...alice } }, 'sasl'],
    [
      'a token',
      { tls, sasl: { mechanism: 'OAUTHBEARER', token: () => Promise.resolve(unsecuredToken(3600)) } },
      'sasl',
    ],
  ])('decisions 3.25: every channel works with %s', async (_case, security, port) => {
    await expectEveryChannelToWork(secured.clientOf(secured.broker[port], security))
  })
})
