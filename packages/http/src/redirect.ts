import { LIMITS } from '@taproom/limits'

/** A redirect that is not followed: it leads nowhere, away from http(s), from https to http, carries credentials, or is one too many. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError'
  readonly code = 'REDIRECT_REFUSED'
}

/** An answer that may be a redirect. */
export interface RedirectingAnswer {
  readonly status: number
  /** Its `Location`. */
  readonly location: string | null | undefined
  /** The address that gave the answer. */
  readonly from: URL
  /** How many redirects were followed before. */
  readonly followed: number
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/**
 * Where the redirect of a server that is not trusted leads; undefined for an answer that is none.
 *
 * @throws {RedirectError} for one that is not to be followed, without quoting it
 */
export function redirectTarget({ status, location, from, followed }: RedirectingAnswer): URL | undefined {
  if (!REDIRECTS.includes(status) || typeof location !== 'string') return undefined
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
