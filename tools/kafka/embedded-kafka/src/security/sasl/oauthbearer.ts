import { type Identity, type Mechanism, NOTHING, quoted, SaslRefusal, type Step } from './exchange.ts'

/** Whom a token names. Rejects with SaslRefusal when it is not good; the message has nothing of the token. */
export type CheckToken = (token: string) => Promise<Identity>

const HEADER = /^n,(?:a=([^,]+))?,$/
const BEARER = /^auth=bearer +([-_.~+/A-Za-z0-9]+=*)$/i
/** What pairs of names and values end with. */
const END = '\x01'
/** RFC 7628: the client's answer to an error is this one byte, and then it is refused. */
const ACKNOWLEDGED = END

async function evaluate(message: string, check: CheckToken): Promise<Step> {
  const [header = '', ...pairs] = message.split(END)
  const [isHeader, authorizationId = ''] = HEADER.exec(header) ?? []
  const token = pairs.map((pair) => BEARER.exec(pair)?.[1]).find((found) => found !== undefined)
  const isWhole = message.endsWith(END + END)
  if (isHeader === undefined || token === undefined || !isWhole)
    throw new SaslRefusal('the message of the client has no token')
  const identity = await check(token)
  if (authorizationId !== '' && authorizationId !== identity.name) {
    throw new SaslRefusal(
      `Authentication failed: Client requested an authorization id (${authorizationId.slice(0, 100)}) that is different from the token's principal name (${identity.name.slice(0, 100)})`,
      { isTold: true },
    )
  }
  return { answer: NOTHING, identity }
}

/** SASL OAUTHBEARER (RFC 7628). A token that is not good is answered with a status first, as the protocol has it. */
export function oauthBearerMechanism(check: CheckToken): Mechanism {
  return {
    name: 'OAUTHBEARER',
    start() {
      let refused: SaslRefusal | undefined
      return {
        async evaluate(message) {
          const text = message.toString('latin1')
          if (refused && text === ACKNOWLEDGED) throw refused
          try {
            return await evaluate(text, check)
          } catch (error) {
            if (!(error instanceof TokenRefusal)) throw error
            refused = new SaslRefusal(error.message)
            return { answer: Buffer.from('{"status":"invalid_token"}') }
          }
        },
      }
    },
  }
}

/** A token that is not good. */
export class TokenRefusal extends SaslRefusal {}

interface Claims {
  readonly [name: string]: unknown
}

export interface ClaimRules {
  /** The claim that names the user. */
  readonly subject: string
  readonly issuer?: string
  /** One of these has to be among the token's. */
  readonly audience?: readonly string[]
  readonly skewSeconds: number
  /** Whether there has to be a time of issue. */
  readonly needsIssuedAt: boolean
}

/** @throws {TokenRefusal} */
export function readPart(text: string, what: string): Claims {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Claims
  } catch {
    // No JSON: said below.
  }
  throw new TokenRefusal(`the ${what} of the token is no JSON object`)
}

/** @throws {TokenRefusal} */
export function identityOf(claims: Claims, rules: ClaimRules, nowMs: number): Identity {
  const { exp, iat, nbf } = claims
  const name = claims[rules.subject]
  const nowSeconds = nowMs / 1000
  if (typeof exp !== 'number' || !Number.isFinite(exp)) throw new TokenRefusal('the token has no exp')
  if (exp + rules.skewSeconds <= nowSeconds) throw new TokenRefusal('the token has expired')
  if (rules.needsIssuedAt && typeof iat !== 'number') throw new TokenRefusal('the token has no iat')
  if ([iat, nbf].some((time) => typeof time === 'number' && time - rules.skewSeconds > nowSeconds)) {
    throw new TokenRefusal('the token is of the future')
  }
  if (typeof name !== 'string' || name.trim() === '') throw new TokenRefusal(`the token has no ${rules.subject}`)
  if (rules.issuer !== undefined && claims['iss'] !== rules.issuer) {
    throw new TokenRefusal(`the token of ${quoted(name)} has another iss`)
  }
  const audiences = [claims['aud']].flat()
  if (rules.audience && !rules.audience.some((each) => audiences.includes(each))) {
    throw new TokenRefusal(`the token of ${quoted(name)} has another aud`)
  }
  return { name, expiresAtMs: exp * 1000 }
}

/** Takes tokens that nobody has signed, as Apache Kafka does for development. */
export function unsecuredTokens(subject: string, now: () => number): CheckToken {
  const rules = { subject, skewSeconds: 0, needsIssuedAt: false }
  return async (token) => {
    const [header = '', payload = '', signature] = token.split('.')
    if (signature !== '' || readPart(header, 'header')['alg'] !== 'none') {
      throw new TokenRefusal('the token is no unsecured one')
    }
    return identityOf(readPart(payload, 'payload'), rules, now())
  }
}
