/**
 * The claims of a verified token. Those named here have the type they promise: one that came with another type is left out.
 * Every other claim is as the token has it.
 */
export interface JwtClaims {
  /** Issuer: one of the configured issuers. */
  readonly iss: string
  /** Expiry, in epoch seconds. */
  readonly exp: number
  /** Issued at, in epoch seconds. */
  readonly iat: number
  /** Not valid before, in epoch seconds. */
  readonly nbf?: number
  readonly sub?: string
  readonly aud?: string | readonly string[]
  /** User principal name, formatted as an e-mail address. */
  readonly upn?: string
  readonly preferred_username?: string
  /** Birth date, `YYYY-MM-DD`. */
  readonly birthdate?: string
  /** Authentication time, in epoch seconds. */
  readonly auth_time?: number
  readonly jti?: string
  /** The groups of the caller, which are its roles; empty unless the claim is an array of strings. */
  readonly groups: readonly string[]
  /** Group name to role name. Carried, but without effect on role checks. */
  readonly roleMappings?: Readonly<Record<string, string>>
  readonly [claim: string]: unknown
}

/** Who sent a request, as its verified token says. */
export interface Caller {
  /** MicroProfile's principal name: `upn`, else `preferred_username`, else `sub`. */
  readonly name: string
  readonly claims: JwtClaims
}

/** A payload whose issuer, expiry and time of issue a verifier has checked before. */
export type CheckedPayload = Readonly<Record<string, unknown>> & Pick<JwtClaims, 'iss' | 'exp' | 'iat' | 'nbf'>

/**
 * Gives each known claim its promised type, or leaves it out, and freezes the result, which is the payload itself when nothing is to
 * be mended: requests share it through the cache.
 */
export function typedClaims(payload: CheckedPayload): JwtClaims {
  if (isTyped(payload)) return deepFreeze(payload)
  const kept = Object.entries(payload).filter(([claim, value]) => TYPES.get(claim)?.(value) ?? true)
  const groups = isTextList(payload['groups']) ? payload['groups'] : []
  const { iss, exp, iat } = payload
  return deepFreeze({ ...Object.fromEntries(kept), iss, exp, iat, groups })
}

function isTyped(payload: CheckedPayload): payload is CheckedPayload & JwtClaims {
  if (payload['groups'] === undefined) return false
  for (const [claim, isPromised] of TYPES) {
    if (Object.hasOwn(payload, claim) && !isPromised(payload[claim])) return false
  }
  return true
}

/** The principal name, if the claims have one. */
export function principalName({ upn, preferred_username, sub }: JwtClaims): string | undefined {
  return [upn, preferred_username, sub].find((name) => name !== undefined && name !== '')
}

const TYPES: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['sub', isText],
  ['upn', isText],
  ['preferred_username', isText],
  ['birthdate', isText],
  ['jti', isText],
  ['aud', (value: unknown) => isText(value) || isTextList(value)],
  ['auth_time', Number.isFinite],
  ['nbf', Number.isFinite],
  ['groups', isTextList],
  ['roleMappings', isTextRecord],
])

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText)
}

function isTextRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isText)
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member)
    Object.freeze(value)
  }
  return value
}
