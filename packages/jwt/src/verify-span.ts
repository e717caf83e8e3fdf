import { type Span, tracing } from '@taproom/spans'
import type { Caller } from './claims.ts'
import { InvalidTokenError, TokenCheckError, VerifierBusyError } from './errors.ts'

const SCOPE = '@taproom/jwt'

/** What the span of a verification says, or the one around it for a token that was only looked up: a span costs more than that. */
export function noteCached(): void {
  const span = tracing()?.active()
  if (span?.isRecording()) span.setAttribute('jwt.cached', true).setAttribute('jwt.outcome', 'accepted')
}

/** Verifies in a span with the outcome and whether the token was cached; nothing of the token is in it. */
export function inVerifySpan(isCached: boolean, verify: () => Caller | Promise<Caller>): Caller | Promise<Caller> {
  const traces = tracing()
  const span = traces?.start(SCOPE, 'jwt verify', { attributes: () => ({ 'jwt.cached': isCached }) })
  if (traces === undefined || span === undefined) return verify()
  // What is asked over the network is a child.
  const verified = traces.run(span, verify)
  if (!(verified instanceof Promise)) {
    endSpan(span, 'accepted')
    return verified
  }
  verified.then(
    () => endSpan(span, 'accepted'),
    (error: unknown) => {
      traces.failed(span, error)
      endSpan(span, outcomeOf(error))
    },
  )
  return verified
}

function endSpan(span: Span, outcome: string): void {
  span.setAttribute('jwt.outcome', outcome)
  span.end()
}

function outcomeOf(error: unknown): string {
  if (error instanceof InvalidTokenError) return error.reason
  if (error instanceof VerifierBusyError) return 'busy'
  return error instanceof TokenCheckError ? 'unavailable' : 'failed'
}
