import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { startHttpServer } from '@taproom/testkit'
import { target } from './target.ts'

const BAD_TOKEN = 'Bearer not.a.token'

/** An answer on its way to who asked. */
export interface Passing {
  /** Method and path, and whether it came with a bad token. */
  readonly asked: string
  status: number
  headers: Headers
  body: string
}

/** The system, with one of its answers changed; the rest passes. */
export function startChanged(change: (answer: Passing) => void) {
  return startHttpServer(async (req, res) => {
    const chunks = await Array.fromAsync(req)
    const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...headers } = req.headers
    const isStream = req.url === '/beer'
    // Over a connection of its own: one that is kept may be closed by the system at the moment it is used.
    const asked = request(target.url + req.url, { method: req.method, headers, agent: false }).end(
      Buffer.concat(chunks),
    )
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    const body = isStream ? '' : Buffer.concat(await response.toArray()).toString()
    response.destroy()
    const lines = Object.entries(response.headersDistinct)
    const answer: Passing = {
      asked: `${req.method} ${req.url}${headers.authorization === BAD_TOKEN ? ' with a bad token' : ''}`,
      status: response.statusCode ?? 0,
      headers: new Headers(
        lines.flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value])),
      ),
      body,
    }
    for (const name of ['content-length', 'connection', 'transfer-encoding']) answer.headers.delete(name)
    change(answer)
    res.writeHead(answer.status, Object.fromEntries(answer.headers)).end(answer.body)
  })
}
