import { isJsonObject } from '@taproom/limits'

/**
 * The claims of a verified token. The claims below have the declared type, and are left out if the token has another type. All other claims
 * are as in the token.
 */
export interface JwtClaims {
  /** One of the configured issuers. */
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
  /** The caller's roles; empty unless the claim is an array of strings. */
  readonly groups: readonly string[]
  /** Group name to role name. Has no effect on role checks. */
  readonly roleMappings?: Readonly<Record<string, string>>
  readonly [claim: string]: unknown
}

/** The caller of a request, by its verified token. */
export interface Caller {
  /** MicroProfile's principal name: `upn`, else `preferred_username`, else `sub`. */
  readonly name: string
  readonly claims: JwtClaims
}

/** A payload whose issuer and times have been checked. */
export type CheckedPayload = Readonly<Record<string, unknown>> & Pick<JwtClaims, 'iss' | 'exp' | 'iat' | 'nbf'>

/**
 * Leaves out known claims of a wrong type, and freezes the result, because requests share it through the cache. Returns the payload itself if all
 * types are right.
 */
export function typedClaims(payload: CheckedPayload): JwtClaims {
  if (isTyped(payload)) return deepFreeze(payload)
  const unfit = new Set(PROMISES.filter((promise) => !isKept(payload, promise)).map(([claim]) => claim))
  const kept = Object.entries(payload).filter(([claim]) => !unfit.has(claim))
  const { iss, exp, iat } = payload
  return deepFreeze({ groups: [], ...Object.fromEntries(kept), iss, exp, iat })
}

function isTyped(payload: CheckedPayload): payload is CheckedPayload & JwtClaims {
  return payload['groups'] !== undefined && PROMISES.every((promise) => isKept(payload, promise))
}

function isKept(payload: CheckedPayload, [claim, isPromised]: PromisedType): boolean {
  const value = payload[claim]
  return value === undefined || isPromised(value)
}

export function principalName({ upn, preferred_username, sub }: JwtClaims): string | undefined {
  return [upn, preferred_username, sub].find((name) => name !== undefined && name !== '')
}

type PromisedType = readonly [claim: string, isPromised: (value: unknown) => boolean]

const PROMISES: readonly PromisedType[] = [
  ['sub', isText],
  ['upn', isText],
  ['preferred_username', isText],
  ['birthdate', isText],
  ['jti', isText],
  ['aud', (value) => isText(value) || isTextList(value)],
  ['auth_time', Number.isFinite],
  ['nbf', Number.isFinite],
  ['groups', isTextList],
  ['roleMappings', isTextRecord],
]

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText)
}

function isTextRecord(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every(isText)
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member)
  }
  return Object.freeze(value)
}
