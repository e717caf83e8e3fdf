import { connect } from 'node:net'
import { startProcess, type TestProcess, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, eventHeaders, send } from './event-requests.ts'
import { isBusy, LARGEST, MIB, runLimitedPlatform } from './limited-ingress.ts'
import type { RunningPlatform } from './running-platform.ts'

const EMBEDDED_KAFKA = new URL('../../../tools/kafka/embedded-kafka/src/main.ts', import.meta.url)

describe('the bytes that wait for Kafka', () => {
  let kafka: TestProcess
  let running: RunningPlatform
  const broker = () => `${running.url}/default/default`

  beforeAll(async () => {
    kafka = startProcess(EMBEDDED_KAFKA, { KAFKA_PORT: '0' })
    const { host } = new URL(await kafka.url())
    running = await runLimitedPlatform(host)
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
      const answer = await send(broker(), { headers, body: LARGEST })
      answers.push(answer)
      return answer
    })
    // Three fit in, with their heads; most of the others are refused while these still wait.
    await waitFor('others are refused', () => answers.filter(isBusy).length > 10)
    for (const { headers } of answers.filter(isBusy)) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    process.kill(kafka.pid ?? expect.fail(), 'SIGCONT')
    await Promise.all(posts)
    const headers = eventHeaders({ 'content-type': 'text/plain' })
    await waitFor('there is room again', async () => (await send(broker(), { headers, body: LARGEST })).status === 202)
  })

  it('are bounded for connections that do not wait for answers', async () => {
    process.kill(kafka.pid ?? expect.fail(), 'SIGSTOP')
    const headers = eventHeaders({ 'content-type': 'text/plain' })
    const head = Object.entries({ host: 'localhost', 'content-length': String(MIB), ...headers })
    const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const post = Buffer.concat([Buffer.from(`POST /default/default HTTP/1.1\r\n${lines}\r\n`), LARGEST])
    const sockets = Array.from({ length: 8 }, () => {
      const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
      socket.on('error', () => {}).resume()
      for (let count = 0; count < 8; count += 1) socket.write(post)
      return socket
    })
    await waitFor('there is no more room', () => running.platform.brokers.budget.held > 3 * MIB)
    expect(running.platform.brokers.budget.held).toBeLessThanOrEqual(4 * MIB)
    expect(isBusy(await send(broker(), { headers, body: LARGEST }))).toBe(true)
    for (const socket of sockets) socket.destroy()
    process.kill(kafka.pid ?? expect.fail(), 'SIGCONT')
    await waitFor('nothing is held any more', () => running.platform.brokers.budget.held === 0)
    expect((await send(broker(), { headers, body: LARGEST })).status).toBe(202)
  })
})
