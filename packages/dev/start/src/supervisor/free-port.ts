import { once } from 'node:events'
import { createServer } from 'node:net'
import { pause } from '@taproom/time'

/** A port that must be free before anything is started. */
export interface WantedPort {
  readonly host: string
  readonly port: number
  /** The variable that chooses it, for the message. */
  readonly variable: string
}

/**
 * Why a port cannot be listened on; undefined when it can. Tries again until `waitMs` have passed, because processes of an earlier run may
 * be about to end.
 */
export async function portProblem({ host, port, variable }: WantedPort, waitMs = 0): Promise<string | undefined> {
  if (port === 0) return undefined
  const deadline = performance.now() + waitMs
  for (;;) {
    const code = await tryPort(host, port)
    if (code === undefined) return undefined
    if (performance.now() >= deadline) return describe(code, host, port, variable)
    await pause(100)
  }
}

function describe(code: string, host: string, port: number, variable: string): string {
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop what listens there or set ${variable} to a free port`
  if (code === 'EACCES') return `port ${port} is not permitted: set ${variable} to a port of 1024 or above`
  if (code === 'EADDRNOTAVAIL') return `address ${host} is not one of this machine's: set HOST`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `host ${host} is not known: set HOST`
  return `cannot listen on ${host}:${port} (${code}): set ${variable}, or HOST`
}

async function tryPort(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'no code'
  }
  server.close()
  await once(server, 'close')
  return undefined
}
