import { type ClientRequest, request } from 'node:http'
import { connect } from 'node:net'
import { startProcess, type TestProcess, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, eventHeaders, send } from './event-requests.ts'
import { brokerManifest, type EventSubscriber, triggerManifest } from './event-subscriber.ts'
import { type RunningDeliveries, runDeliveries } from './running-deliveries.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

const EMBEDDED_KAFKA = new URL('../../../packages/dev/embedded-kafka/src/main.ts', import.meta.url)
const MIB = 1024 * 1024
const codeOf = ({ body }: Answer) => (JSON.parse(body) as { code?: string }).code

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
  ])('arrives with the largest event that is taken (%s)', async (type, path) => {
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
  let kafka: TestProcess
  let running: RunningPlatform
  const broker = () => `${running.url}/default/default`
  const largest = Buffer.alloc(MIB, 'x')
  const isBusy = (answer: Answer) => answer.status === 503 && codeOf(answer) === 'BROKER_BUSY'

  beforeAll(async () => {
    kafka = startProcess(EMBEDDED_KAFKA, { KAFKA_PORT: '0' })
    const { host } = new URL(await kafka.url())
    running = await runPlatform({
      bootstrapServers: host,
      files: { 'broker.yaml': brokerManifest('default') },
      env: { BROKER_BUFFER_BYTES: String(4 * MIB) },
    })
    await running.ready()
  })
  afterAll(async () => {
    await running?.[Symbol.asyncDispose]()
    await kafka?.[Symbol.asyncDispose]()
  })

  it('are bounded while Kafka stands still: what is beyond gets 503 with Retry-After', async () => {
    process.kill(kafka.pid ?? expect.fail(), 'SIGSTOP')
    const answers: Answer[] = []
    const posts = Array.from({ length: 20 }, async () => {
      const headers = eventHeaders({ 'content-type': 'text/plain' })
      const answer = await send(broker(), { headers, body: largest })
      answers.push(answer)
      return answer
    })
    // Three fit in, with their heads; most of the others are refused while these still wait.
    await waitFor('others are refused', () => answers.filter(isBusy).length > 10)
    for (const { headers } of answers.filter(isBusy)) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    process.kill(kafka.pid ?? expect.fail(), 'SIGCONT')
    await Promise.all(posts)
    const headers = eventHeaders({ 'content-type': 'text/plain' })
    await waitFor('there is room again', async () => (await send(broker(), { headers, body: largest })).status === 202)
  })

  it('count from the first one that is read, announced or not', async () => {
    const slow: ClientRequest[] = []
    for (let count = 0; count < 4; count += 1) {
      const post = request(broker(), { method: 'POST', headers: eventHeaders({ 'content-type': 'text/plain' }) })
      post.on('error', () => {})
      post.write(largest.subarray(0, MIB - 1000))
      slow.push(post)
    }
    await waitFor('they are read', () => running.platform.brokers.heldBytes > 4 * (MIB - 1000))
    const headers = eventHeaders({ 'content-type': 'text/plain' })
    const postOne = (more = {}) => send(broker(), { headers: { ...headers, ...more }, body: largest })
    expect(isBusy(await postOne())).toBe(true)
    expect(isBusy(await postOne({ 'transfer-encoding': 'chunked' }))).toBe(true)
    for (const post of slow) post.destroy()
    await waitFor('their bytes are forgotten with them', () => running.platform.brokers.heldBytes === 0)
    expect((await postOne()).status).toBe(202)
  })

  it('are bounded for connections that do not wait for answers', async () => {
    process.kill(kafka.pid ?? expect.fail(), 'SIGSTOP')
    const headers = eventHeaders({ 'content-type': 'text/plain' })
    const head = Object.entries({ host: 'localhost', 'content-length': String(MIB), ...headers })
    const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const post = Buffer.concat([Buffer.from(`POST /default/default HTTP/1.1\r\n${lines}\r\n`), largest])
    const sockets = Array.from({ length: 8 }, () => {
      const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
      socket.on('error', () => {}).resume()
      for (let count = 0; count < 8; count += 1) socket.write(post)
      return socket
    })
    await waitFor('there is no more room', () => running.platform.brokers.heldBytes > 3 * MIB)
    expect(running.platform.brokers.heldBytes).toBeLessThanOrEqual(4 * MIB)
    expect(isBusy(await send(broker(), { headers, body: largest }))).toBe(true)
    for (const socket of sockets) socket.destroy()
    process.kill(kafka.pid ?? expect.fail(), 'SIGCONT')
    await waitFor('nothing is held any more', () => running.platform.brokers.heldBytes === 0)
    expect((await send(broker(), { headers, body: largest })).status).toBe(202)
  })

  it('refuses an event that is too large as such, however little room there is', async () => {
    const headers = eventHeaders({ 'content-type': 'text/plain' })
    expect((await send(broker(), { headers, body: Buffer.alloc(2 * MIB) })).status).toBe(413)
  })
})
