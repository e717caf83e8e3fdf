import type { HealthCheck } from '@taproom/health'
import type { JwtLogger } from '@taproom/jwt'
import type { Request, RequestHandler, Response } from 'express'
import type { NamespacedName } from '../resources/object.ts'
import { brokerAudience } from './broker-access.ts'

/** Finds out who sends an event to a broker. */
export type IngressGuard = Awaited<ReturnType<typeof openIngressGuard>>

/** Wants a token of one of these issuers, for the broker's own audience; their keys are found by discovery. */
export async function openIngressGuard(issuers: readonly string[], log: JwtLogger) {
  // Loaded only where tokens are wanted: all others start faster without it.
  const { ALGORITHMS, authenticate, callerOf, createJwtVerifier, requireAudience } = await import('@taproom/jwt')
  const verifier = await createJwtVerifier({ issuers, discovery: true, algorithm: ALGORITHMS, log })
  /** Readiness: DOWN while an issuer has no key. */
  const keys: HealthCheck = verifier.check
  const authenticated = authenticate(verifier, { realm: 'broker' })
  return {
    /** The subject of the request's token for the broker; undefined when there is none, which is then answered. */
    async senderOf(req: Request, res: Response, broker: NamespacedName): Promise<string | undefined> {
      if (!(await passes(authenticated, req, res))) return undefined
      if (!(await passes(requireAudience(brokerAudience(broker)), req, res))) return undefined
      // A token without a subject is good, and of nobody whom a policy could name.
      return callerOf(req)?.claims.sub ?? ''
    },
    keys,
    [Symbol.dispose]: () => verifier[Symbol.dispose](),
  }
}

/** Whether a handler passes the request on; otherwise it has answered. */
function passes(handler: RequestHandler, req: Request, res: Response): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve(true) : reject(error))
    Promise.resolve(handler(req, res, next)).then(() => resolve(false), reject)
  })
}
