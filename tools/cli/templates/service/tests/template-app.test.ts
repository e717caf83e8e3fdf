import { createKafka, type IncomingMessage, openIncoming, openOutgoing } from '@taproom/messaging'
import { readHealth, readMetric, waitFor, waitUntilReady } from '@taproom/testkit'
import { type DescribedApi, readDescription } from '@taproom/testkit/openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTemplateAppProcess } from './template-app-process.ts'

describe('the template-app process', () => {
  let app: Awaited<ReturnType<typeof startTemplateAppProcess>>
  // begin greeting
  let api: DescribedApi
  // end
  beforeAll(async () => {
    app = await startTemplateAppProcess()
    await waitUntilReady(app.url)
    // begin greeting
    api = await readDescription((await (await fetch(`${app.url}/q/openapi?format=json`)).json()) as object)
    // end
  })
  afterAll(() => app[Symbol.asyncDispose]())

  // begin greeting
  // begin jwt
  const bearer = async (groups: readonly string[]) => {
    return { Authorization: `Bearer ${await app.issuer.sign({ user: 'duke', groups: [...groups] })}` }
  }

  // end
  // end
  // begin incoming|outgoing|transform
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  const connect = () => {
    return createKafka({ clientId: 'test', bootstrapServers: app.kafka.bootstrapServers, log: quiet })
  }
  // end
  // begin outgoing|transform

  /** The messages of a topic, from its beginning. */
  async function readTopic(channel: string) {
    const messages: IncomingMessage[] = []
    const onMessage = (message: IncomingMessage) => void messages.push(message)
    const opened = openIncoming(connect(), { channel, from: 'earliest', onMessage })
    await opened.assigned
    return {
      values: () => messages.map(({ value }) => String(value)),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }
  // end

  it('is alive and ready', async () => {
    expect((await readHealth(app.url, 'live')).status).toBe(200)
    expect(await readHealth(app.url, 'ready')).toMatchObject({
      status: 200,
      // begin database|health
      checks: {
        // begin database
        'Database connections health check': { status: 'UP' },
        // end
        // begin health
        'Disk space': { status: 'UP' },
        // end
      },
      // end
    })
  })
  // begin greeting

  it('greets, as it is described', async () => {
    const response = await api.fetch(
      `${app.url}/template-app`,
      /* begin jwt */ { headers: await bearer(['Subscriber']) } /* end */,
    )
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      greeting: 'Hello',
      // begin jwt
      caller: expect.stringContaining('duke'),
      // end
      // begin notes
      notes: ['the first note'],
      // end
      // begin remote
      remote: { from: 'the stand-in' },
      // end
    })
  })

  it('answers other methods with 405', async () => {
    expect((await api.fetch(`${app.url}/template-app`, { method: 'POST' })).status).toBe(405)
  })
  // begin jwt

  it('refuses a request without a token with 401, and one without the role with 403', async () => {
    expect((await api.fetch(`${app.url}/template-app`)).status).toBe(401)
    expect((await api.fetch(`${app.url}/template-app`, { headers: await bearer([]) })).status).toBe(403)
  })
  // end
  // begin remote

  it('greets without the remote service, too', async () => {
    await using alone = await startTemplateAppProcess({ TEMPLATE_APP_REMOTE_RETRY_MAX_RETRIES: '0' })
    await alone.remote.stop()
    // begin jwt
    const Authorization = `Bearer ${await alone.issuer.sign({ groups: ['Subscriber'] })}`
    // end
    const response = await fetch(`${alone.url}/template-app`, /* begin jwt */ { headers: { Authorization } } /* end */)
    expect(await response.json()).toMatchObject({ greeting: 'Hello', remote: null })
  })
  // end
  // end
  // begin incoming

  it('reads the topic template-app-in', async () => {
    await using channel = openOutgoing(connect(), { channel: 'template-app-in' })
    await waitFor('a message to be received', async () => {
      await channel.send({ key: 'k', value: 'hello' })
      return app.service.lines.some(({ msg }) => msg === 'message received')
    })
  })
  // end
  // begin outgoing

  it('writes a tick each second', async () => {
    await using ticks = await readTopic('template-app-ticks')
    await waitFor('two ticks', () => ticks.values().length >= 2)
    expect(JSON.parse(ticks.values()[0] ?? '')).toEqual({ tick: expect.any(Number) })
    expect(await readMetric(app.url, 'template_app_ticks_total{result="sent"}')).toBeGreaterThan(0)
  })
  // end
  // begin transform

  it('writes each word once, in capitals', async () => {
    await using words = openOutgoing(connect(), { channel: 'template-app-words' })
    await using capitals = await readTopic('template-app-capitals')
    for (const value of ['ale', 'stout']) await words.send({ key: 'k', value })
    await waitFor('both words', () => capitals.values().length >= 2)
    expect(capitals.values()).toEqual(['ALE', 'STOUT'])
  })
  // end

  it('ends with 0 when it is asked to', async () => {
    await using other = await startTemplateAppProcess()
    expect(await other.service.stop()).toBe(0)
  })
})
