import { openOutgoing } from '@taproom/messaging'
import { eventually, readHealth, readMetric, waitFor, waitUntilReady } from '@taproom/testkit'
import { type DescribedApi, readDescription } from '@taproom/testkit/openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROLE } from '../src/config.ts'
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
  afterAll(() => app?.[Symbol.asyncDispose]())

  // begin greeting
  // begin jwt
  const bearer = async (groups: readonly string[]) => {
    return { Authorization: `Bearer ${await app.issuer.sign({ user: 'duke', groups: [...groups] })}` }
  }

  // end
  // end

  it('is alive, and ready once its parts are', async () => {
    expect((await readHealth(app.url, 'live')).status).toBe(200)
    await eventually(async () => {
      expect(await readHealth(app.url, 'ready')).toMatchObject({
        status: 200,
        // begin database|incoming|outgoing|transform|health
        checks: {
          // begin database
          'Database connections health check': { status: 'UP' },
          // end
          // begin incoming
          'Kafka incoming channel template-app-in': { status: 'UP' },
          // end
          // begin outbox
          'Outbox template-app-out': { status: 'UP' },
          // end
          // begin channel
          'Kafka outgoing channel template-app-out': { status: 'UP' },
          // end
          // begin transform
          'Kafka transform channel template-app-transform': { status: 'UP' },
          // end
          // begin health
          'template-app': { status: 'UP' },
          // end
        },
        // end
      })
    })
  })
  // begin greeting

  it('greets, as it is described', async () => {
    const response = await api.fetch(
      `${app.url}/template-app`,
      /* begin jwt */ { headers: await bearer([ROLE]) } /* end */,
    )
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ greeting: 'Hello' })
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
  // end
  // begin jwt

  it('needs a token with the scopes of JWT_REQUIRED_SCOPES', async () => {
    await using scoped = await startTemplateAppProcess({ JWT_REQUIRED_SCOPES: 'a:read, b:read' })
    await waitUntilReady(scoped.url)
    const statusFor = async (scope: string) => {
      const Authorization = `Bearer ${await scoped.issuer.sign({ groups: [ROLE], scope })}`
      return (await fetch(`${scoped.url}/template-app`, { headers: { Authorization } })).status
    }
    expect(await statusFor('a:read')).toBe(403)
    expect(await statusFor('b:read a:read')).toBe(200)
  })
  // end
  // begin reader

  it('reads the topic template-app-in', async () => {
    await using channel = openOutgoing(app.kafka, { channel: 'template-app-in' })
    await waitFor('a message to be received', async () => {
      await channel.send({ key: 'k', value: 'hello' })
      return app.service.lines.some(({ msg }) => msg === 'message received')
    })
  })
  // end
  // begin channel

  it('counts what it writes', async () => {
    expect(await readMetric(app.url, 'template_app_out_total{result="sent"}')).toBe(0)
  })
  // end
  // begin transform

  it('writes each message of one topic once to the other', async () => {
    await using input = openOutgoing(app.kafka, { channel: 'template-app-transform-in' })
    await using output = await app.readTopic('template-app-transform-out')
    for (const value of ['ale', 'stout']) await input.send({ key: 'k', value })
    await waitFor('both messages', () => output.messages.length >= 2)
    expect(output.messages.map(({ value }) => String(value))).toEqual(['ale', 'stout'])
  })
  // end
  // begin remote

  it('has a circuit breaker before the remote service', async () => {
    const { checks } = await readHealth(app.url, 'well')
    expect(checks['template-app-remote circuit breaker']).toMatchObject({ status: 'UP' })
  })
  // end

  it('ends with 0 when it is asked to', async () => {
    await using other = await startTemplateAppProcess()
    expect(await other.service.stop()).toBe(0)
  })
})
