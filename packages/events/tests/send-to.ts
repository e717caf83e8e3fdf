import type { RequestListener } from 'node:http'
import { startHttpServer } from '@taproom/testkit'
import { type SendOptions, sendEvent } from '../src/index.ts'
import { makeEvent } from './make-event.ts'

/** Sends an event to a server of its own. */
export async function sendTo(listener: RequestListener, options: Partial<SendOptions> = {}) {
  await using server = await startHttpServer(listener)
  return await sendEvent({ url: server.url, event: makeEvent(), timeoutMs: 60_000, ...options })
}

/** A server that reads the request and answers. */
export function answer(status: number, headers: Record<string, string> = {}, body = ''): RequestListener {
  return (req, res) => {
    req.resume().on('end', () => res.writeHead(status, headers).end(body))
  }
}

export const replyHeaders = { 'ce-specversion': '1.0', 'ce-id': 'r', 'ce-source': '/sink', 'ce-type': 'reply' }
