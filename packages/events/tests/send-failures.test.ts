import type { RequestListener } from 'node:http'
import { startHttpServer } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { sendEvent } from '../src/index.ts'
import { makeEvent } from './make-event.ts'
import { answer, replyHeaders, sendTo } from './send-to.ts'

describe('sendEvent, no response', () => {
  it('decisions 3.12: a refused connection is worth a retry', async () => {
    const server = await startHttpServer(answer(200))
    await server[Symbol.asyncDispose]()
    const outcome = await sendEvent({ url: server.url, event: makeEvent(), timeoutMs: 60_000 })
    expect(outcome).toMatchObject({
      delivered: false,
      retryable: true,
      reason: 'unreachable',
      detail: expect.stringMatching(/^connect ECONNREFUSED 127\.0\.0\.1:\d+$/),
      cause: { code: 'ECONNREFUSED' },
    })
  })

  it('a reset, and an answer broken off, are worth a retry', async () => {
    expect(await sendTo((req) => req.socket.resetAndDestroy())).toMatchObject({
      retryable: true,
      reason: 'unreachable',
      detail: expect.stringMatching(/ECONNRESET|closed before the end/),
    })
    const brokenOff: RequestListener = (req, res) => {
      res.writeHead(200, { ...replyHeaders, 'content-length': 10 }).write('half', () => req.socket.destroy())
    }
    expect(await sendTo(brokenOff)).toMatchObject({ retryable: true, reason: 'unreachable' })
  })

  it('silence is a timeout, before the answer and within it', async () => {
    const timeout = { delivered: false, retryable: true, reason: 'timeout', detail: 'no answer within 50 ms' }
    expect(await sendTo(() => {}, { timeoutMs: 50 })).toEqual(timeout)
    const stalling: RequestListener = (_req, res) => void res.writeHead(200, replyHeaders).write('half')
    expect(await sendTo(stalling, { timeoutMs: 50 })).toEqual(timeout)
  })

  it('so is an answer that drips', async () => {
    const dripping: RequestListener = (req, res) => {
      res.writeHead(200, replyHeaders)
      const timer = setInterval(() => res.write('x'), 5)
      req.socket.on('close', () => clearInterval(timer))
    }
    expect(await sendTo(dripping, { timeoutMs: 100 })).toMatchObject({ reason: 'timeout' })
  })

  it('a refusal whose body stalls is still that refusal', async () => {
    const stalling: RequestListener = (_req, res) => void res.writeHead(400).write('half')
    expect(await sendTo(stalling, { timeoutMs: 1000 })).toMatchObject({
      retryable: false,
      status: 400,
      reason: 'status',
    })
  })

  it('aborting rejects with the reason', async () => {
    const controller = new AbortController()
    const sending = sendTo(() => controller.abort(new Error('stop')), { signal: controller.signal })
    await expect(sending).rejects.toThrow('stop')
    await expect(sendTo(answer(200), { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped')
  })

  it('refuses what is not http', async () => {
    await expect(sendEvent({ url: 'ftp://x', event: makeEvent(), timeoutMs: 1 })).rejects.toThrow(TypeError)
  })
})
