import { pause } from '@taproom/core/time'
import { ListenError, listen } from '@taproom/service'

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
    try {
      const server = await listen(() => {}, { host, port, variables: { port: variable, host: 'HOST' }, drainMs: 0 })
      await server[Symbol.asyncDispose]()
      return undefined
    } catch (error) {
      if (!(error instanceof ListenError)) throw error
      if (performance.now() >= deadline) return error.message
    }
    await pause(100)
  }
}
