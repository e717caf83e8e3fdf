import { inspect } from 'node:util'
import { startHttpServer, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createKafka, createTopicAdmin, type KafkaSasl, openIncoming, openOutgoing } from '../src/index.ts'
import { outcomeOf, reasonWhenDown, untilUp } from './checks.ts'
import { recordLog } from './recorded-log.ts'
import { startSaslServer, type Verdict } from './sasl-server.ts'

const SECRET = 'distinctive-Pa55phrase'
const plain: KafkaSasl = { mechanism: 'PLAIN', username: 'alice', password: SECRET }

const clientOf = (bootstrapServers: string, sasl: KafkaSasl, { log } = recordLog()) =>
  createKafka({ clientId: 'sasl-test', bootstrapServers, log, security: { sasl } })

describe('decisions 3.27: readiness says why SASL fails', () => {
  it('a wrong password, until it is corrected', async () => {
    await using server = await startSaslServer(['PLAIN'])
    server.verdict = 'refuse'
    const kafka = clientOf(server.bootstrapServers, plain)
    await using outgoing = openOutgoing(kafka, { channel: 'beers' })
    await using incoming = openIncoming(kafka, { channel: 'beers', onMessage: () => undefined })
    for (const channel of [outgoing, incoming]) {
      expect(await reasonWhenDown(channel)).toBe('Kafka refused the password of user alice (SASL PLAIN)')
    }
    // Not just once, although kafkajs calls it final.
    await waitFor('further attempts', () => server.messages.length >= 6 && incoming.counters.restarts >= 2)
    server.verdict = 'accept'
    await untilUp(outgoing)
    expect(server.messages.at(-1)).toBe(`\0alice\0${SECRET}`)
  })

  it('a port that wants SASL of a client without', async () => {
    await using server = await startSaslServer(['PLAIN'])
    server.verdict = 'refuse'
    const kafka = createKafka({ clientId: 'test', bootstrapServers: server.bootstrapServers, log: recordLog().log })
    await using channel = openOutgoing(kafka, { channel: 'beers' })
    expect(await reasonWhenDown(channel)).toBe(
      `Kafka broker ${server.bootstrapServers} ended a new connection; perhaps it wants SASL at this port`,
    )
  })

  it('a mechanism that Kafka does not have', async () => {
    await using server = await startSaslServer(['PLAIN'])
    await using channel = openOutgoing(clientOf(server.bootstrapServers, { ...plain, mechanism: 'SCRAM-SHA-256' }), {
      channel: 'beers',
    })
    expect(await reasonWhenDown(channel)).toBe('Kafka does not offer SASL SCRAM-SHA-256')
  })

  it.each(['100001', '2147483647', '4095', '4096x', '1e5', ''])(
    'a SCRAM whose iterations are %j, none of which is done',
    async (iterations) => {
      await using server = await startSaslServer(['SCRAM-SHA-256'], { iterations })
      await using channel = openOutgoing(clientOf(server.bootstrapServers, { ...plain, mechanism: 'SCRAM-SHA-256' }), {
        channel: 'beers',
      })
      expect(await reasonWhenDown(channel)).toBe(
        `Kafka asks for ${JSON.stringify(iterations)} iterations of SCRAM; this client does 4096 to 100000`,
      )
      expect(server.messages.every((message) => message.startsWith('n,,'))).toBe(true)
    },
  )

  it('100000 iterations of SCRAM are done', async () => {
    await using server = await startSaslServer(['SCRAM-SHA-512'], { iterations: '100000' })
    server.verdict = 'refuse'
    await using channel = openOutgoing(clientOf(server.bootstrapServers, { ...plain, mechanism: 'SCRAM-SHA-512' }), {
      channel: 'beers',
    })
    expect(await reasonWhenDown(channel)).toBe('Kafka refused the password of user alice (SASL SCRAM-SHA-512)')
    expect(server.messages.some((message) => message.startsWith('c=biws,'))).toBe(true)
  })

  it('no password is blamed when the connection ends meanwhile', async () => {
    await using server = await startSaslServer(['PLAIN'])
    server.verdict = 'hang up'
    const recorded = recordLog()
    await using channel = openOutgoing(clientOf(server.bootstrapServers, plain, recorded), { channel: 'beers' })
    await waitFor('a failed attempt', () => recorded.text().includes('kafka producer cannot connect'))
    expect(await outcomeOf(channel)).toMatchObject({ status: 'DOWN', data: { reason: 'Closed connection' } })
  })

  it('administration rejects each time, until Kafka lets it in', async () => {
    const mechanisms = ['SCRAM-SHA-512']
    await using server = await startSaslServer(mechanisms)
    await using admin = createTopicAdmin(clientOf(server.bootstrapServers, plain))
    for (let call = 1; call <= 2; call += 1) await expect(admin.endOffsets('beer')).rejects.toThrow('SASL mechanism')
    mechanisms.push('PLAIN')
    await expect(admin.endOffsets('beer')).rejects.not.toThrow('SASL mechanism')
    expect(server.messages).not.toEqual([])
  })
})

describe('decisions 3.25: a broker without SaslAuthenticate', () => {
  it.each<[KafkaSasl, string]>([
    [plain, `\0alice\0${SECRET}`],
    [{ mechanism: 'OAUTHBEARER', token: () => Promise.resolve('abc') }, 'n,,\x01auth=Bearer abc\x01\x01'],
  ])('is spoken to as it wants: $mechanism', async (sasl, message) => {
    await using server = await startSaslServer([sasl.mechanism], { isOld: true })
    server.verdict = 'refuse'
    await using channel = openOutgoing(clientOf(server.bootstrapServers, sasl), { channel: 'beers' })
    await waitFor('an attempt', () => server.messages.length > 0)
    server.verdict = 'accept'
    await untilUp(channel)
    expect(new Set(server.messages)).toEqual(new Set([message]))
  })

  it('that breaks the connection is not waited for', async () => {
    await using server = await startSaslServer(['PLAIN'], { isOld: true })
    server.verdict = 'hang up'
    const recorded = recordLog()
    await using channel = openOutgoing(clientOf(server.bootstrapServers, plain, recorded), { channel: 'beers' })
    await waitFor('a failed attempt', () => recorded.text().includes('kafka producer cannot connect'))
    expect(await outcomeOf(channel)).toMatchObject({ status: 'DOWN' })
    expect(recorded.text()).not.toContain('connecting the producer')
  })
})

describe('OAUTHBEARER', () => {
  it('decisions 3.28: a token that Kafka answers with a challenge is refused, and the next attempt has another', async () => {
    await using server = await startSaslServer(['OAUTHBEARER'])
    server.verdict = 'challenge'
    let given = 0
    const token = () => Promise.resolve(`token-${++given}`)
    await using channel = openOutgoing(clientOf(server.bootstrapServers, { mechanism: 'OAUTHBEARER', token }), {
      channel: 'beers',
    })
    expect(await reasonWhenDown(channel)).toBe('Kafka refused the token (SASL OAUTHBEARER)')
    expect(server.messages.slice(0, 2)).toEqual(['n,,\x01auth=Bearer token-1\x01\x01', '\x01'])
    server.verdict = 'accept'
    await untilUp(channel)
  })

  it('decisions 3.28: a token endpoint that refuses is named, and asked again', async () => {
    await using server = await startSaslServer(['OAUTHBEARER'])
    let isOpen = false
    await using endpoint = await startHttpServer((request, response) => {
      request.resume()
      response.statusCode = isOpen ? 200 : 401
      response.end(JSON.stringify(isOpen ? { access_token: 'abc', expires_in: 300 } : { error: 'invalid_client' }))
    })
    const token = { url: `${endpoint.url}/token`, clientId: 'taproom', clientSecret: SECRET }
    await using channel = openOutgoing(clientOf(server.bootstrapServers, { mechanism: 'OAUTHBEARER', token }), {
      channel: 'beers',
    })
    expect(await reasonWhenDown(channel)).toBe(`token endpoint ${endpoint.url}/token: status 401, invalid_client`)
    isOpen = true
    await untilUp(channel)
    expect(new Set(server.messages)).toEqual(new Set(['n,,\x01auth=Bearer abc\x01\x01']))
  })
})

describe('decisions 3.28: a token that is good for an hour', () => {
  async function attemptsWith(verdict: Verdict, count: number) {
    await using server = await startSaslServer(['OAUTHBEARER'])
    server.verdict = verdict
    let given = 0
    await using endpoint = await startHttpServer((request, response) => {
      request.resume()
      given += 1
      response.end(JSON.stringify({ access_token: `token-${given}`, expires_in: 3600 }))
    })
    const token = { url: `${endpoint.url}/token`, clientId: 'taproom', clientSecret: SECRET }
    await using channel = openOutgoing(clientOf(server.bootstrapServers, { mechanism: 'OAUTHBEARER', token }), {
      channel: 'beers',
    })
    await waitFor('some attempts', () => server.messages.length >= count)
    server.verdict = 'accept'
    await untilUp(channel)
    return server.messages
  }
  const withToken = (number: number) => `n,,\x01auth=Bearer token-${number}\x01\x01`

  it('is used again when the connection broke', async () => {
    expect(new Set(await attemptsWith('hang up', 8))).toEqual(new Set([withToken(1)]))
  })

  it('is not used again when Kafka refused it', async () => {
    expect((await attemptsWith('refuse', 2)).slice(0, 2)).toEqual([withToken(1), withToken(2)])
    const challenged = await attemptsWith('challenge', 3)
    expect(challenged.slice(0, 3)).toEqual([withToken(1), '\x01', withToken(2)])
  })

  it('is not used again when the connection broke after its refusal', async () => {
    const messages = await attemptsWith('challenge and hang up', 2)
    expect(messages.slice(0, 2)).toEqual([withToken(1), withToken(2)])
  })
})

describe('decisions 3.29: secrets are in no log, error or health answer', () => {
  it.each<[Verdict]>([['refuse'], ['repeat'], ['hang up']])('when Kafka says: %s', async (verdict) => {
    await using server = await startSaslServer(['PLAIN'])
    server.verdict = verdict
    const recorded = recordLog()
    const kafka = clientOf(server.bootstrapServers, plain, recorded)
    await using outgoing = openOutgoing(kafka, { channel: 'beers', overflow: 'fail' })
    await using incoming = openIncoming(kafka, { channel: 'beers', onMessage: () => undefined })
    await using admin = createTopicAdmin(kafka, { timeoutMs: 5000 })
    const errors = await Promise.all(
      [outgoing.send({ value: '1' }), admin.ensureTopic('beers'), admin.endOffsets('beers')].map((call) =>
        call.catch((error: unknown) => error),
      ),
    )
    expect(errors.every((error) => error instanceof Error)).toBe(true)
    await waitFor('several attempts', () => incoming.counters.restarts >= 2)
    const outcomes = await Promise.all([outgoing, incoming].map(outcomeOf))
    const output = [recorded.text(), inspect(errors, { depth: 10 }), JSON.stringify(outcomes), inspect(kafka)].join(
      '\n',
    )
    expect(output).toContain('kafka consumer failed')
    expect(output).not.toContain(SECRET)
  })
})
