import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** An HTTP answer, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Headers of a valid event in binary mode, with overrides; an override of undefined leaves a header out. */
export function eventHeaders(overrides: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
  const headers = {
    'ce-id': crypto.randomUUID(),
    'ce-specversion': '1.0',
    'ce-type': 'greeting',
    'ce-source': '/tests',
    'content-type': 'application/json',
    ...overrides,
  }
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Sends a request with exactly these headers (`fetch` would not let a test choose the host). */
export function send(
  url: string,
  options: { method?: string; headers?: Readonly<Record<string, string>>; body?: string | Buffer } = {},
): Promise<Answer> {
  const { method = 'POST', headers = {}, body } = options
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Sends these bytes and gives everything that comes back until the server closes the connection. */
export async function sendRaw(url: string, message: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(message)
  return await text(socket)
}
