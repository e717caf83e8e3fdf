import { startKafka, type TestKafka, waitFor } from '@taproom/testkit'
import { CloudEvent, HTTP } from 'cloudevents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

/** The sinks of the contract; there may be more. */
const BOTH = ['eventingaloha', 'eventingbonjour']

interface Received {
  readonly sink: string
  readonly event: { readonly id: string; readonly type: string; readonly data?: unknown }
}

describe('contract 6.1: event routing with the manifests of the repository', () => {
  let kafka: TestKafka
  let running: RunningPlatform
  const received = () =>
    running.lines.filter((line) => line.includes('"event received"')).map((line) => JSON.parse(line) as Received)
  const sinksOf = (id: string) =>
    received()
      .filter(({ event }) => event.id === id)
      .map(({ sink }) => sink)
      .sort()
  const hasReachedBoth = (id = '') => BOTH.every((sink) => sinksOf(id).includes(sink))
  const instancesOf = (name: string) => running.platform.serving.state({ namespace: 'default', name })?.instances.ready

  beforeAll(async () => {
    kafka = await startKafka()
    running = await runPlatform({ bootstrapServers: kafka.bootstrapServers, env: { SCALE_TO_ZERO_IDLE_MS: '3000' } })
    await running.ready()
  })
  afterAll(async () => {
    await running?.[Symbol.asyncDispose]()
    await kafka?.[Symbol.asyncDispose]()
  })

  it('contract 6.1: an event of type greeting reaches both subscribers, which were at zero and go back to zero', async () => {
    expect([instancesOf('eventingaloha'), instancesOf('eventingbonjour')]).toEqual([0, 0])
    const headers = eventHeaders()
    const answer = await send(`${running.url}/default/default`, { headers, body: '{"message":"hello"}' })
    expect(answer).toMatchObject({ status: 202, body: '' })
    const id = headers['ce-id'] ?? ''
    await waitFor('both sinks have it', () => hasReachedBoth(id))
    expect(sinksOf(id).filter((sink) => BOTH.includes(sink))).toEqual(BOTH)
    expect(received().find(({ event }) => event.id === id)?.event).toMatchObject({ data: { message: 'hello' } })
    await waitFor('both are at zero again', () => !instancesOf('eventingaloha') && !instancesOf('eventingbonjour'))
  })

  it.each([
    ['aloha', 'eventingaloha'],
    ['bonjour', 'eventingbonjour'],
  ])('contract 6.1: an event of type %s posted to its sink is received by that sink only', async (type, sink) => {
    const headers = eventHeaders({ 'ce-type': type })
    const answer = await send(`${running.url}/sinks/${sink}`, { headers, body: '{}' })
    expect(answer).toMatchObject({ status: 200, body: '' })
    await waitFor('the sink has logged it', () => sinksOf(headers['ce-id'] ?? '').length > 0)
    expect(sinksOf(headers['ce-id'] ?? '')).toEqual([sink])
  })

  it.each([
    ['default-broker.default.svc.cluster.local', '/'],
    ['broker-ingress.knative-eventing.svc.cluster.local', '/default/default/'],
  ])('decisions 2.16: the broker answers at the host %s', async (host, path) => {
    const headers = eventHeaders({ host })
    expect(await send(`${running.url}${path}`, { headers, body: '{}' })).toMatchObject({ status: 202, body: '' })
    await waitFor('both sinks have it', () => hasReachedBoth(headers['ce-id']))
  })

  it('decisions 2.16: a sink answers at its own host', async () => {
    const headers = eventHeaders({ host: 'eventingaloha.default.svc.cluster.local' })
    expect(await send(`${running.url}/`, { headers, body: '{}' })).toMatchObject({ status: 200 })
    await waitFor('the sink has it', () => sinksOf(headers['ce-id'] ?? '').length >= 1)
  })

  it('decisions 1.58: an event that no trigger wants is accepted and delivered nowhere', async () => {
    const unwanted = eventHeaders({ 'ce-type': 'aloha' })
    const wanted = eventHeaders()
    for (const headers of [unwanted, wanted]) {
      expect((await send(`${running.url}/default/default`, { headers, body: '{}' })).status).toBe(202)
    }
    await waitFor('the wanted one has arrived', () => hasReachedBoth(wanted['ce-id']))
    expect(sinksOf(unwanted['ce-id'] ?? '')).toEqual([])
  })

  it('decisions 1.62: an event in structured mode arrives with the same data', async () => {
    const id = crypto.randomUUID()
    const event = { specversion: '1.0', id, source: '/tests', type: 'greeting', data: { message: 'structured' } }
    const headers = { 'content-type': 'application/cloudevents+json; charset=utf-8' }
    expect((await send(`${running.url}/default/default`, { headers, body: JSON.stringify(event) })).status).toBe(202)
    await waitFor('both sinks have it', () => hasReachedBoth(id))
    expect(received().find((line) => line.event.id === id)?.event.data).toEqual({ message: 'structured' })
  })

  it.each(['binary', 'structured'] as const)('takes what the cloudevents SDK sends in %s mode', async (mode) => {
    const event = new CloudEvent({ source: '/sdk', type: 'greeting', data: { by: 'sdk' } })
    const { headers, body } = HTTP[mode](event)
    const answer = await send(`${running.url}/default/default`, {
      headers: headers as Record<string, string>,
      body: String(body),
    })
    expect(answer.status).toBe(202)
    await waitFor('both sinks have it', () => hasReachedBoth(event.id))
  })

  it('decisions 1.53: a sink refuses what is no event, through the platform as well', async () => {
    const answer = await send(`${running.url}/sinks/eventingaloha`, { headers: eventHeaders({ 'ce-id': undefined }) })
    expect(answer.status).toBe(400)
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  })

  it('decisions 2.21: health shows the state of each sink, UP at zero', async () => {
    await waitFor('all are at zero', () => !instancesOf('eventingaloha') && !instancesOf('eventingbonjour'))
    const answer = await send(`${running.url}/q/health`, { method: 'GET' })
    const report = JSON.parse(answer.body) as { checks: { name: string; status: string; data?: object }[] }
    // Another sink may need a Secret, which no test gives.
    const others = report.checks.filter(({ name }) => !BOTH.some((sink) => name === `Sink default/${sink}`))
    expect(others.filter(({ name, status }) => status !== 'UP' && !name.startsWith('Sink '))).toEqual([])
    expect(report.checks.filter((check) => !others.includes(check)).map(({ status }) => status)).toEqual(['UP', 'UP'])
    expect(report.checks).toContainEqual({
      name: 'Sink default/eventingaloha',
      status: 'UP',
      data: expect.objectContaining({ state: 'scaled to zero', instances: 0 }),
    })
  })

  it('metrics tell what became of events, and the instances of each sink', async () => {
    const { body } = await send(`${running.url}/q/metrics`, { method: 'GET' })
    expect(body).toMatch(/^event_broker_events_total\{result="accepted"\} [1-9]\d*$/m)
    expect(body).toMatch(/^event_trigger_events_total\{trigger="default\/aloha",result="delivered"\} [1-9]\d*$/m)
    expect(body).toMatch(/^event_delivery_seconds_count\{trigger="default\/aloha",result="delivered"\} [1-9]\d*$/m)
    expect(body).toMatch(/^sink_instances\{sink="default\/eventingaloha",state="ready"\} \d+$/m)
    expect(body).toMatch(/^sink_requests\{sink="default\/eventingaloha",state="waiting"\} 0$/m)
  })
})
