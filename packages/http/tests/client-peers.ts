import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { HttpClient, HttpRequest } from '../src/index.ts'

export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
/** Read of an answer's body. */
export const LIMIT = 1024

export function requestTo(port: number, options: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url: `http://127.0.0.1:${port}/a?b=c`, timeoutMs: 60_000, limitBytes: LIMIT, ...options }
}

/** Status and body of an answer; with `…` if there was more. */
export async function textOf(
  client: HttpClient,
  request: Omit<HttpRequest, 'limitBytes'> & Partial<Pick<HttpRequest, 'limitBytes'>>,
): Promise<string> {
  const { status, body } = await client.request({ limitBytes: LIMIT, ...request })
  if (body.brokenBy !== undefined) throw body.brokenBy
  return `${status} ${body.bytes}${body.isCut ? '…' : ''}`
}

export async function startHttpServer(handler: RequestListener) {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Waits until a condition holds. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  await expect.poll(condition, { message: what }).toBe(true)
}
