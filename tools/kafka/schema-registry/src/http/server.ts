import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ListenError } from '../errors.ts'

const MAX_CONNECTIONS = 1000
const REQUEST_TIMEOUT_MS = 30_000
/** For requests under way when the server is closed. */
const DRAIN_MS = 5000

/** A server that listens; disposing of it answers what is under way first. */
export interface HttpServer extends AsyncDisposable {
  readonly port: number
}

/** @throws {ListenError} when the address is taken or not of this machine */
export async function openServer(handler: RequestListener, host: string, port: number): Promise<HttpServer> {
  const timeouts = { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS }
  const server = createServer(timeouts, handler)
  server.maxConnections = MAX_CONNECTIONS
  try {
    await once(server.listen(port, host), 'listening')
  } catch (cause) {
    throw new ListenError(`cannot listen on ${host}:${port}: ${reasonOf(cause as NodeJS.ErrnoException)}`, { cause })
  }
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await closed
      clearTimeout(late)
    },
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return 'the address is taken (EADDRINUSE)'
  return code === 'EADDRNOTAVAIL' ? 'the address is not of this machine (EADDRNOTAVAIL)' : (code ?? message)
}
