import { parseArgs } from 'node:util'
import { reasonOf } from '@taproom/core/lines'
import type { DevClaims } from '@taproom/jwt/testing'

const TOKEN_OPTIONS = {
  user: { type: 'string' },
  groups: { type: 'string' },
  'expires-in': { type: 'string' },
  claim: { type: 'string', multiple: true },
  omit: { type: 'string' },
  help: { type: 'boolean' },
} as const

export const TOKEN_USAGE = `usage: pnpm run token [--user NAME] [--groups a,b] [--expires-in SECONDS] [--claim NAME=JSON]... [--omit NAME,NAME]
  --user        preferred_username and sub, and upn as an e-mail address (default duke)
  --groups      roles, separated by commas (default Subscriber; '' for none)
  --expires-in  seconds until exp; negative, such as -10, for an expired token (default 3600)
  --claim       any claim, such as iat=1 or 'aud="taproom"'
  --omit        claims to leave out

Its issuer is the development issuer of system.ts, or the one that MP_JWT_VERIFY_ISSUER names.
`

/** The options as they were typed. */
export type TokenOptions = ReturnType<typeof parseArgs<{ options: typeof TOKEN_OPTIONS }>>['values']

export class TokenUsageError extends Error {
  override readonly name = 'TokenUsageError'
  readonly code = 'TOKEN_USAGE'
}

/**
 * Reads the command line; a value may begin with a minus, as `--expires-in -10`.
 *
 * @throws {TokenUsageError} when an option does not exist or has no value
 */
export function readTokenOptions(args: readonly string[]): TokenOptions {
  const joined: string[] = []
  for (const arg of args) {
    const option = joined.at(-1)
    // `parseArgs` takes a negative number for an option unless it is joined to its own.
    if (/^-\d/.test(arg) && option !== undefined && /^--[^=]+$/.test(option)) joined.splice(-1, 1, `${option}=${arg}`)
    else joined.push(arg)
  }
  try {
    return parseArgs({ args: joined, options: TOKEN_OPTIONS }).values
  } catch (error) {
    throw new TokenUsageError(reasonOf(error))
  }
}

/**
 * Turns options into claims (contract 2.1).
 *
 * @throws {TokenUsageError} when a value is wrong, naming option, value and expectation
 */
export function readTokenClaims(options: TokenOptions): DevClaims {
  const { user, groups, claim = [], omit } = options
  const expiresIn = options['expires-in']
  return {
    // Without its option a claim has the issuer's default; given as undefined it is left out.
    ...(user !== undefined && { user }),
    ...(groups !== undefined && { groups: list(groups) }),
    ...(expiresIn !== undefined && { expiresInSeconds: seconds(expiresIn) }),
    ...Object.fromEntries(claim.map(namedClaim)),
    ...Object.fromEntries(list(omit).map((name) => [name, undefined])),
  }
}

function list(value = ''): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function seconds(value: string): number {
  if (!/^[+-]?\d{1,12}$/.test(value)) throw invalid('expires-in', value, 'whole seconds')
  return Number(value)
}

function namedClaim(value: string): [name: string, value: unknown] {
  const [, name, json] = /^([^=]+)=(.+)$/s.exec(value) ?? []
  try {
    if (name !== undefined && json !== undefined) return [name, JSON.parse(json)]
  } catch {
    // Not JSON: refused below.
  }
  throw invalid('claim', value, `NAME=JSON, such as 'aud="taproom"'`)
}

function invalid(option: string, value: string, expected: string): TokenUsageError {
  return new TokenUsageError(`--${option}=${JSON.stringify(value)}: expected ${expected}`)
}
