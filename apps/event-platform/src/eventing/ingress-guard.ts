import type { JwtLogger, JwtVerifier } from '@taproom/jwt'
import type { Request, RequestHandler, Response } from 'express'
import type { NamespacedName } from '../resources/object.ts'
import { type BrokerAccess, brokerAudience } from './broker-access.ts'

/** Who sends an event to a broker, and whether that may be. */
export interface IngressGuard extends Disposable {
  /** The subject of the request's token for the broker; undefined when there is none, which is then answered. */
  senderOf(req: Request, res: Response, broker: NamespacedName): Promise<string | undefined>
  /** @throws {EventRefusedError} when no event of the sender may enter the broker */
  check(broker: NamespacedName, sender: string): void
  /** A readiness check: DOWN while an issuer has no key. */
  readonly keys: JwtVerifier['check']
}

/** Wants a token of one of these issuers, for the broker's own audience; their keys are found by discovery. */
export async function openIngressGuard(options: {
  readonly access: BrokerAccess
  readonly issuers: readonly string[]
  readonly log: JwtLogger
}): Promise<IngressGuard> {
  const { access, issuers, log } = options
  // Loaded only where tokens are wanted: all others start faster without it.
  const { ALGORITHMS, authenticate, callerOf, createJwtVerifier, requireAudience } = await import('@taproom/jwt')
  const verifier = await createJwtVerifier({ issuers, discovery: true, algorithm: ALGORITHMS, log })
  const authenticated = authenticate(verifier, { realm: 'broker' })
  return {
    async senderOf(req, res, broker) {
      if (!(await passes(authenticated, req, res))) return undefined
      if (!(await passes(requireAudience(brokerAudience(broker)), req, res))) return undefined
      // A token without a subject is good, and of nobody whom a policy could name.
      return callerOf(req)?.claims.sub ?? ''
    },
    check: (broker, sender) => access.check(broker, sender),
    keys: verifier.check,
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
