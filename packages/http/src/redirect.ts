import { LIMITS } from '@taproom/core/limits'

/** A redirect that is not followed: its address is invalid, not http(s), http after https or has credentials, or it is one too many. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError'
  readonly code = 'REDIRECT_REFUSED'
}

export interface RedirectingAnswer {
  readonly status: number
  readonly location: string | null | undefined
  /** The URL that was requested. */
  readonly from: URL
  /** How many redirects have been followed so far. */
  readonly followed: number
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

export function isRedirect(status: number): boolean {
  return REDIRECTS.includes(status)
}

/**
 * The target of a redirect from an untrusted server; undefined for an answer that is not a redirect.
 *
 * @throws {RedirectError} when it must not be followed; the message does not quote it
 */
export function redirectTarget({ status, location, from, followed }: RedirectingAnswer): URL | undefined {
  if (!isRedirect(status) || typeof location !== 'string') return undefined
  if (followed >= LIMITS.redirects) throw new RedirectError(`more than ${LIMITS.redirects} redirects`)
  const target = URL.parse(location, from.href)
  if (target === null) throw new RedirectError('redirected to what is no URL')
  const isSafe = target.protocol === 'https:' || (target.protocol === 'http:' && from.protocol === 'http:')
  if (!isSafe)
    throw new RedirectError(`redirected from ${from.protocol} to the protocol ${target.protocol.slice(0, 20)}`)
  if (target.username !== '' || target.password !== '')
    throw new RedirectError('redirected to an address with credentials')
  return target
}
