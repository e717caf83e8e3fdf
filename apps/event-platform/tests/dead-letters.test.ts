import { eventually, freePort, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from './event-requests.ts'
import { brokerManifest, ORDERED, triggerManifest } from './event-subscriber.ts'
import { type RunningDeliveries, runDeliveries } from './running-deliveries.ts'

const brokerRef = (name: string) => `{ ref: { apiVersion: eventing.knative.dev/v1, kind: Broker, name: ${name} } }`

describe('dead letters', () => {
  let running: RunningDeliveries
  let closedUrl: string
  const letterOf = (id: string) =>
    waitFor('the dead letter has arrived', () => running.subscriber.deliveriesOf(id, '/letters')[0])
  const errorOf = (headers: Readonly<Record<string, unknown>>) => ({
    destination: headers['ce-knativeerrordest'],
    code: headers['ce-knativeerrorcode'],
    data: Buffer.from(String(headers['ce-knativeerrordata']), 'base64').toString(),
  })
  const countersOf = (name: string) => {
    const trigger = running.platform.store.get({ kind: 'Trigger', namespace: 'default', name })
    return trigger && running.platform.controller.triggers.counters(trigger)
  }

  beforeAll(async () => {
    closedUrl = `http://127.0.0.1:${await freePort()}`
    const quick = 'retry: 3, backoffPolicy: linear, backoffDelay: PT0.01S'
    running = await runDeliveries((uri) => {
      const letters = `deadLetterSink: { uri: "${uri}/letters" }`
      return {
        'brokers.yaml': [
          brokerManifest('default', ` delivery: { retry: 0, ${letters} } `),
          brokerManifest('looped', ` delivery: { retry: 0, deadLetterSink: ${brokerRef('looped')} } `),
          brokerManifest('ping'),
          brokerManifest('pong'),
        ].join('---\n'),
        'triggers.yaml': [
          triggerManifest('refusing', uri, { delivery: `delivery: { ${quick}, ${letters} }` }),
          triggerManifest('closed', closedUrl),
          triggerManifest('patient', uri, { delivery: 'delivery: { retry: 1, backoffDelay: PT1H }' }),
          triggerManifest('resetting', uri),
          triggerManifest('silent', uri, { delivery: 'delivery: { timeout: PT0.2S }' }),
          triggerManifest('inheriting', uri, { delivery: 'delivery: { backoffDelay: PT0.01S, retry: 1 }' }),
          triggerManifest('waiting', uri, { delivery: `delivery: { ${quick} }` }),
          triggerManifest('unhappy', uri, { broker: 'looped' }),
          triggerManifest('pings', uri, { broker: 'ping', filter: '""', destination: brokerRef('pong') }),
          triggerManifest('pongs', uri, { broker: 'pong', filter: '""', destination: brokerRef('ping') }),
          triggerManifest('tap', uri, { broker: 'ping', filter: '""', annotations: ORDERED }),
        ].join('---'),
      }
    })
  })
  afterAll(() => running?.[Symbol.asyncDispose]())

  it('come after attempts that can be seen while they go on', async () => {
    const trigger = running.platform.store.get({ kind: 'Trigger', namespace: 'default', name: 'patient' })
    const underWay = () => trigger && running.platform.controller.triggers.underWay(trigger)
    expect(underWay()).toEqual({ underWay: 0 })
    running.subscriber.answer('/patient', (res) => void res.writeHead(503).end('closed today'))
    await running.post('patient')
    await eventually(() =>
      expect(underWay()).toEqual({
        underWay: 1,
        oldestMs: expect.any(Number),
        failedAttempts: 1,
        lastFailure: 'answered 503 (closed today)',
        nextAttemptMs: expect.any(Number),
      }),
    )
    const health = await send(`${running.url}/q/health/well`, { method: 'GET' })
    const { checks } = JSON.parse(health.body)
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: 'Trigger default/patient',
        data: expect.objectContaining({ delivered: 0, underWay: 1, failedAttempts: 1 }),
      }),
    )
  })

  it('decisions 1.78: say where the event could not go, the status, and the answer in Base64', async () => {
    running.subscriber.answer('/refusing', (res) => void res.writeHead(400).end('not today:\n\u00e9'))
    const id = await running.post('refusing')
    const letter = await letterOf(id)
    expect(errorOf(letter.headers)).toEqual({
      destination: `${running.subscriber.url}/refusing`,
      code: '400',
      data: 'not today:\n\u00e9',
    })
    expect(letter.body).toBe('{"n": 1.50}')
    expect(running.subscriber.deliveriesOf(id, '/refusing')).toHaveLength(1)
  })

  it('decisions 3.191: say in the health of their trigger why, until an event is delivered', async () => {
    const trigger = running.platform.store.get({ kind: 'Trigger', namespace: 'default', name: 'refusing' })
    const underWay = () => trigger && running.platform.controller.triggers.underWay(trigger)
    running.subscriber.answer('/refusing', (res) => void res.writeHead(400).end('not today'))
    const id = await running.post('refusing')
    await eventually(() =>
      expect(underWay()).toMatchObject({
        lastGivenUp: id,
        lastGivenUpEnd: 'dead-lettered',
        lastGivenUpAttempts: 1,
        lastGivenUpFailure: 'answered 400',
      }),
    )
    await eventually(async () => {
      const { body } = await send(`${running.url}/q/health/well`, { method: 'GET' })
      expect(body).toContain('"lastGivenUpFailure":"answered 400"')
      expect(body).not.toContain('not today')
    })
    running.subscriber.answer('/refusing', (res) => void res.writeHead(204).end())
    await running.post('refusing')
    await eventually(() => expect(underWay()).toEqual({ underWay: 0 }))
  })

  it('decisions 1.78: hold the first 1024 bytes of a long answer, whatever they are', async () => {
    const answer = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256))
    running.subscriber.answer('/refusing', (res) => void res.writeHead(418).end(answer))
    const { headers } = await letterOf(await running.post('refusing'))
    const data = Buffer.from(String(headers['ce-knativeerrordata']), 'base64')
    expect(data).toEqual(answer.subarray(0, 1024))
  })

  it.each([
    ['closed', 'a subscriber that refuses the connection', () => {}, /^unreachable: .*ECONNREFUSED/],
    [
      'resetting',
      'a subscriber that resets the connection',
      () => running.subscriber.answer('/resetting', (res) => void res.socket?.resetAndDestroy()),
      /^unreachable: /,
    ],
    ['silent', 'a subscriber that says nothing', () => running.subscriber.answer('/silent', () => {}), /^timeout/],
  ])('decisions 1.78: of %s, %s, have code 500 and the reason', async (type, _case, prepare, reason) => {
    prepare()
    const { headers } = await letterOf(await running.post(type))
    expect(errorOf(headers)).toMatchObject({ code: '500', data: expect.stringMatching(reason) })
  })

  it('decisions 1.76: go to the sink of the broker when the trigger sets anything else of delivery', async () => {
    running.subscriber.answer('/inheriting', (res) => void res.writeHead(503).end())
    const id = await running.post('inheriting')
    expect(errorOf((await letterOf(id)).headers)).toMatchObject({ code: '503', data: '' })
    expect(running.subscriber.deliveriesOf(id, '/inheriting')).toHaveLength(2)
    const trigger = running.platform.store.get({ kind: 'Trigger', namespace: 'default', name: 'inheriting' })
    expect(trigger?.status?.['deadLetterSinkUri']).toBe(`${running.subscriber.url}/letters`)
  })

  it('decisions 1.77, 1.81: keep the loop guard and what travels along, and ask for no reply', async () => {
    running.subscriber.answer('/refusing', (res) => void res.writeHead(400).end())
    running.subscriber.answer(
      '/letters',
      (res) => void res.writeHead(200, { 'content-type': 'text/plain' }).end('thanks'),
    )
    const id = await running.post('refusing', { baggage: 'a=1', 'x-request-id': 'r1' })
    const { headers } = await letterOf(id)
    expect(headers).toMatchObject({
      'ce-knativebrokerttl': '255',
      'kn-namespace': 'default',
      baggage: 'a=1',
      'x-request-id': 'r1',
    })
    expect(headers).not.toHaveProperty('prefer')
    await waitFor('it is done with', () => (countersOf('refusing')?.deadLettered ?? 0) >= 3)
    expect(running.subscriber.deliveriesOf(id, '/letters')).toHaveLength(1)
  })

  it('decisions 1.77: end by the loop guard when their sink leads back to the broker', async () => {
    running.subscriber.answer('/unhappy', (res) => void res.writeHead(400).end('no'))
    const id = await running.post('unhappy', { 'ce-knativebrokerttl': '6' }, 'looped')
    // An event may be through the next pass before the answer to the letter that carried it is counted.
    await eventually(() => expect(countersOf('unhappy')).toMatchObject({ deadLettered: 4, dropped: 1 }))
    expect(running.subscriber.deliveriesOf(id, '/unhappy')).toHaveLength(5)
  })

  it('a guard of more passes than brokers give counts as theirs', async () => {
    const id = await running.post('refusing', { 'ce-knativebrokerttl': '2147483647' })
    expect((await letterOf(id)).headers['ce-knativebrokerttl']).toBe('255')
  })

  it('two brokers that feed each other stop by the loop guard', async () => {
    const id = await running.post('any', { 'ce-knativebrokerttl': '6' }, 'ping')
    await eventually(() =>
      expect([countersOf('pings'), countersOf('pongs')]).toMatchObject([
        { delivered: 2, dropped: 1 },
        { delivered: 2, dropped: 0 },
      ]),
    )
    // Guards of 5, 3 and 1 are left when it enters this one of the two.
    await waitFor('all have passed', () => running.subscriber.deliveriesOf(id, '/tap').length >= 3)
  })

  it('decisions 1.79: waits as long as Retry-After asks for, without any setting', async () => {
    const patient = crypto.randomUUID()
    running.subscriber.answer('/waiting', (res) => {
      const isPatient = running.subscriber.deliveries.at(-1)?.id === patient
      res.writeHead(isPatient ? 429 : 503, isPatient ? { 'retry-after': '3600' } : {}).end()
    })
    await running.post('waiting', { 'ce-id': patient })
    const other = await running.post('waiting')
    await letterOf(other)
    expect(running.subscriber.deliveriesOf(other, '/waiting')).toHaveLength(4)
    expect(running.subscriber.deliveriesOf(patient, '/waiting')).toHaveLength(1)
  })
})
