import { Agent, request } from 'node:https'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

interface Asked {
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the reading of a body that has no end. */
  readonly until?: (body: string) => boolean
}

interface Server {
  readonly address: string
  readonly host: string
  /** The certificate of its authority, in PEM. */
  readonly ca: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 })

/** Ends the connections that {@link getByHttps} keeps open. */
export function closeConnections(): void {
  agent.destroy()
}

/** Sends a GET by HTTPS, and trusts the server's authority. */
export function getByHttps({ address, host, ca }: Server, path: string, asked: Asked = {}): Promise<Answer> {
  const { headers = {}, until = () => false } = asked
  return new Promise((resolve, reject) => {
    const asking = request(
      { host: address, servername: host, path, ca, agent, headers: { host, ...headers }, timeout: 30_000 },
      (response) => {
        let body = ''
        const answered = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text
          if (!until(body)) return
          answered()
          response.destroy()
        })
        response.once('end', answered).once('error', reject)
      },
    )
    asking.once('timeout', () => asking.destroy(new Error('no answer'))).once('error', reject)
    asking.end()
  })
}
