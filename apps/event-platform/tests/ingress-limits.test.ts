import { type ClientRequest, request } from 'node:http'
import { startKafka, type TestKafka, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { brokerManifest, type EventSubscriber, triggerManifest } from './event-subscriber.ts'
import { codeOf, isBusy, LARGEST, MIB, runLimitedPlatform } from './limited-ingress.ts'
import { type RunningDeliveries, runDeliveries } from './running-deliveries.ts'
import type { RunningPlatform } from './running-platform.ts'

describe('what travels along with an event', () => {
  let running: RunningDeliveries
  const post = (headers: Readonly<Record<string, string>>) =>
    send(`${running.url}/default/default`, { headers: eventHeaders(headers), body: '{}' })

  beforeAll(async () => {
    running = await runDeliveries((uri) => ({
      'broker.yaml': brokerManifest('default'),
      'triggers.yaml': [
        triggerManifest('any', uri),
        triggerManifest('refused', uri, { delivery: `delivery: { deadLetterSink: { uri: "${uri}/letters" } }` }),
      ].join('---'),
    }))
  })
  afterAll(() => running?.[Symbol.asyncDispose]())

  it.each([
    ['65 headers', Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`knative-${at}`, 'x']))],
    ['more than 8 KiB', { baggage: `a=${'x'.repeat(8192)}` }],
    [
      'more than 8 KiB in several',
      { 'x-b3-a': 'x'.repeat(5000), tracestate: 'x'.repeat(100), 'knative-b': 'x'.repeat(5000) },
    ],
  ])('is refused at the door when no server would take it: %s', async (_case, headers: Record<string, string>) => {
    const answer = await post(headers)
    expect([answer.status, codeOf(answer)]).toEqual([431, 'EVENT_HEADERS_TOO_LARGE'])
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  })

  it.each([
    ['any', '/any'],
    ['refused', '/letters'],
  ])('arrives with the LARGEST event that is taken (%s)', async (type, path) => {
    running.subscriber.answer('/refused', (res) => void res.writeHead(400).end('x'.repeat(2000)))
    const baggage = `a=${'x'.repeat(3000)}`
    const subject = 's'.repeat(11_000)
    const answer = await post({ 'ce-type': type, 'ce-subject': subject, baggage, 'x-request-id': type })
    expect(answer.status).toBe(202)
    const isIt = ({ headers, path: to }: EventSubscriber['deliveries'][number]) =>
      to === path && headers['x-request-id'] === type
    const { headers, body } = await waitFor('it has arrived', () => running.subscriber.deliveries.find(isIt))
    expect(headers['baggage']).toBe(baggage)
    expect(headers['ce-subject'] ?? (JSON.parse(body) as { subject: string }).subject).toBe(subject)
  })
})

describe('the bytes that wait for Kafka', () => {
  let kafka: TestKafka
  let running: RunningPlatform
  const broker = () => `${running.url}/default/default`

  beforeAll(async () => {
    kafka = await startKafka()
    running = await runLimitedPlatform(kafka.bootstrapServers)
  })
  afterAll(async () => {
    await running?.[Symbol.asyncDispose]()
    await kafka?.[Symbol.asyncDispose]()
  })

  it('count from the first one that is read, announced or not', async () => {
    const slow: ClientRequest[] = []
    for (let count = 0; count < 4; count += 1) {
      const post = request(broker(), { method: 'POST', headers: eventHeaders({ 'content-type': 'text/plain' }) })
      post.on('error', () => {})
      post.write(LARGEST.subarray(0, MIB - 1000))
      slow.push(post)
    }
    await waitFor('they are read', () => running.platform.brokers.budget.held > 4 * (MIB - 1000))
    const headers = eventHeaders({ 'content-type': 'text/plain' })
    const postOne = (more = {}) => send(broker(), { headers: { ...headers, ...more }, body: LARGEST })
    const busy = await postOne()
    expect([isBusy(busy), Number(busy.headers['retry-after']) > 0]).toEqual([true, true])
    expect(isBusy(await postOne({ 'transfer-encoding': 'chunked' }))).toBe(true)
    for (const post of slow) post.destroy()
    await waitFor('their bytes are forgotten with them', () => running.platform.brokers.budget.held === 0)
    expect((await postOne()).status).toBe(202)
  })

  it('refuses an event that is too large as such, however little room there is', async () => {
    const headers = eventHeaders({ 'content-type': 'text/plain' })
    expect((await send(broker(), { headers, body: Buffer.alloc(2 * MIB) })).status).toBe(413)
  })
})
