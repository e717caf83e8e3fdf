import { withDeadline } from '@taproom/core/time'
import { InvalidTokenError, TokenCheckError } from '../errors.ts'
import type { JwtClaims } from '../token/claims.ts'

/** Most questions that are open at a time, also beyond their time limit; further ones fail at once. */
const MAX_OPEN = 1000

export interface RevocationOptions {
  /**
   * Says whether a verified token has been revoked, such as by its `jti`. Asked for each request, also for remembered tokens, so its cost
   * is every request's. Anything but true and false, an error, and no answer in time is {@link TokenCheckError}.
   */
  readonly isRevoked?: (claims: JwtClaims) => boolean | Promise<boolean>
  /** How long `isRevoked` may take, in milliseconds. Default: 1000. */
  readonly isRevokedTimeoutMs?: number
}

/**
 * Asks about a token; undefined when it is good and the answer came at once.
 *
 * @throws {InvalidTokenError} or rejects with it, when the token is revoked
 * @throws {TokenCheckError} or rejects with it, when there is no answer
 */
export type Revocation = (claims: JwtClaims) => Promise<void> | undefined

/** Undefined when nobody is to be asked. */
export function createRevocation(options: RevocationOptions): Revocation | undefined {
  const { isRevoked, isRevokedTimeoutMs = 1000 } = options
  if (isRevoked === undefined) return undefined
  let open = 0

  async function wait(answer: Promise<unknown>): Promise<void> {
    open += 1
    const close = () => {
      open -= 1
    }
    // Not at the time limit: whoever is asked still has the question then.
    answer.then(close, close)
    try {
      judge(await withDeadline(answer, isRevokedTimeoutMs, 'isRevoked'))
    } catch (error) {
      throw failure(error)
    }
  }

  return (claims) => {
    if (open >= MAX_OPEN) throw new TokenCheckError(`more than ${MAX_OPEN} questions for revoked tokens are open`)
    try {
      const answer: unknown = isRevoked(claims)
      if (isThenable(answer)) return wait(Promise.resolve(answer))
      judge(answer)
      return undefined
    } catch (error) {
      throw failure(error)
    }
  }
}

/** Also promises that are not Node's own. */
function isThenable(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function'
}

function judge(answer: unknown): void {
  if (answer === true) throw new InvalidTokenError('revoked')
  if (answer !== false) throw new TypeError('isRevoked must answer true or false')
}

function failure(error: unknown): InvalidTokenError | TokenCheckError {
  if (error instanceof InvalidTokenError) return error
  return new TokenCheckError('it is not known whether the token is revoked', { cause: error })
}
