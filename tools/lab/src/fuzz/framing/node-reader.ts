import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SeenRequest } from './seen-request.ts'

/** After this many turns of the event loop without anything read, all is read: nothing here waits for a network. */
const QUIET_TURNS = 5

/** The whole requests that Node's own parser, as strict as it is by default, sees in the bytes of a connection. */
export async function readByNode(pieces: readonly Buffer[]): Promise<readonly SeenRequest[]> {
  const requests: SeenRequest[] = []
  let steps = 0
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    steps += 1
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => {
      steps += 1
      chunks.push(chunk)
    })
    request.on('error', () => {
      // The rest of it was no HTTP: the request is not whole.
    })
    request.on('end', () => {
      steps += 1
      if (request.complete) requests.push(seenOf(request, Buffer.concat(chunks)))
      response.end()
    })
  }
  // Hosts are judged by the one that passes requests on.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 0 }, onRequest)
  // Node would leave out those above its limit.
  server.maxHeadersCount = 0
  server.on('clientError', () => {
    // The requests before are still read to their ends.
  })
  const connection = new Duplex({
    read: () => {},
    write(_bytes, _encoding, done) {
      steps += 1
      done()
    },
  })
  connection.on('error', () => connection.destroy())
  server.emit('connection', connection)
  for (const piece of pieces) connection.push(piece)
  for (let quiet = 0, before = -1; quiet < QUIET_TURNS; ) {
    quiet = before === steps ? quiet + 1 : 0
    before = steps
    await nextTurn()
  }
  connection.destroy()
  server.close()
  return requests
}

function seenOf({ method = '', url = '', rawHeaders }: IncomingMessage, body: Buffer): SeenRequest {
  const headers = rawHeaders.flatMap((name, index): SeenRequest['headers'] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
  )
  return { method, target: url, headers, body }
}
