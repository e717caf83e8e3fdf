import { parseArgs } from 'node:util'
import type { DevClaims } from '@taproom/jwt/testing'
import { reasonOf } from '@taproom/lines'

/** Options of `pnpm run token`. */
const TOKEN_OPTIONS = {
  user: { type: 'string' },
  groups: { type: 'string' },
  'expires-in': { type: 'string' },
  sub: { type: 'string' },
  aud: { type: 'string' },
  upn: { type: 'string' },
  birthdate: { type: 'string' },
  'auth-time': { type: 'string' },
  iss: { type: 'string' },
  'role-mappings': { type: 'string' },
  'preferred-username': { type: 'string' },
  exp: { type: 'string' },
  iat: { type: 'string' },
  jti: { type: 'string' },
  omit: { type: 'string' },
  help: { type: 'boolean' },
} as const

/** Text of `pnpm token --help`. */
export const TOKEN_USAGE = `usage: pnpm run token [--user NAME] [--groups a,b] [--expires-in SECONDS] [--CLAIM VALUE]... [--omit CLAIM,CLAIM]
  --user        preferred_username and sub, and upn as an e-mail address (default duke)
  --groups      roles, separated by commas (default Subscriber; '' for none)
  --expires-in  seconds until exp; negative, such as -10, for an expired token (default 3600)
  --CLAIM       sub, aud, upn, birthdate (YYYY-MM-DD), auth-time, iss, role-mappings (JSON), preferred-username, exp, iat, jti
  --omit        claims to leave out
`

/** The options as they were typed. */
export type TokenOptions = { readonly [Name in keyof typeof TOKEN_OPTIONS]?: string | boolean | undefined }

/** The command line is wrong. */
export class TokenUsageError extends Error {
  override readonly name = 'TokenUsageError'
  readonly code = 'ERR_TOKEN_USAGE'
}

/**
 * Reads the command line; a value may begin with a minus, as `--expires-in -10`.
 *
 * @throws TokenUsageError for an option that does not exist or has no value
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
 * @throws TokenUsageError naming option, value and expectation
 */
export function readTokenClaims(options: TokenOptions): DevClaims {
  const text = (name: keyof TokenOptions) => {
    const value = options[name]
    return typeof value === 'string' ? value : undefined
  }
  const seconds = (name: keyof TokenOptions) => {
    const value = text(name)
    if (value !== undefined && !/^[+-]?\d{1,12}$/.test(value)) throw invalid(name, value, 'whole seconds')
    return value === undefined ? undefined : Number(value)
  }
  const claims: Record<string, unknown> = {
    user: text('user'),
    groups: text('groups') === undefined ? undefined : list(text('groups')),
    expiresInSeconds: seconds('expires-in'),
    sub: text('sub'),
    aud: text('aud'),
    upn: text('upn'),
    birthdate: date(text('birthdate')),
    auth_time: seconds('auth-time'),
    iss: text('iss'),
    roleMappings: roleMappings(text('role-mappings')),
    preferred_username: text('preferred-username'),
    exp: seconds('exp'),
    iat: seconds('iat'),
    jti: text('jti'),
  }
  // A claim whose option is absent keeps the issuer's default; one that is to be left out is given as undefined.
  const given = Object.entries(claims).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(given), ...Object.fromEntries(list(text('omit')).map((claim) => [claim, undefined])) }
}

function list(value = ''): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function date(value: string | undefined): string | undefined {
  if (value !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(value)) throw invalid('birthdate', value, 'YYYY-MM-DD')
  return value
}

function roleMappings(value: string | undefined): unknown {
  if (value === undefined) return undefined
  try {
    const mappings: unknown = JSON.parse(value)
    const isObject = typeof mappings === 'object' && mappings !== null && !Array.isArray(mappings)
    if (isObject && Object.values(mappings).every((role) => typeof role === 'string')) return mappings
  } catch {
    // Told below, like any other text that is no such object.
  }
  throw invalid('role-mappings', value, 'a JSON object of texts, such as {"group":"role"}')
}

function invalid(option: string, value: string, expected: string): TokenUsageError {
  return new TokenUsageError(`--${option}=${JSON.stringify(value)}: expected ${expected}`)
}
