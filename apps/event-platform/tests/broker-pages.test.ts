import { startKafka, type TestKafka } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

describe('decisions 3.139: brokers that only this machine reaches, used by a web page', () => {
  let kafka: TestKafka
  let running: RunningPlatform
  beforeAll(async () => {
    kafka = await startKafka()
    const env = { GATEWAY_ALLOWED_HOSTS: 'Taproom.example', HTTP_CORS_ORIGINS: 'https://shop.example' }
    running = await runPlatform({ bootstrapServers: kafka.bootstrapServers, env })
    await running.ready()
  })
  afterAll(async () => {
    await running?.[Symbol.asyncDispose]()
    await kafka?.[Symbol.asyncDispose]()
  })
  const post = async (headers: Readonly<Record<string, string>>) =>
    await send(`${running.url}/default/default`, {
      headers: eventHeaders({ 'ce-type': 'unwanted', ...headers }),
      body: '{}',
    })

  it.each<[string, number, Record<string, string>]>([
    ['by DNS rebinding', 421, { host: 'evil.example' }],
    ['of another origin', 403, { origin: 'https://evil.example' }],
    ['of another site', 403, { 'sec-fetch-site': 'cross-site' }],
    ['with a type that a form can have', 415, { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' }],
    ['of an origin of HTTP_CORS_ORIGINS', 202, { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }],
    ['at a host of the gateway', 202, { host: 'taproom.example:8080' }],
    ['at an address of this machine', 202, { host: '192.168.1.7:8080' }],
  ])('an event %s is %d', async (_what, status, headers) => {
    const answer = await post(headers)
    expect(answer.status).toBe(status)
    if (status !== 202) expect(answer.headers).toMatchObject({ 'content-type': 'application/problem+json' })
  })
})
