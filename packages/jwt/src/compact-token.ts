import { Buffer } from 'node:buffer'
import { LIMITS } from '@taproom/limits'
import type { JwtAlgorithm } from './algorithms.ts'
import { InvalidTokenError } from './errors.ts'
import { decode, parseObject } from './token-parts.ts'

/** A parsed token; nothing in it is verified yet. */
export interface CompactToken {
  /** One of those accepted. A key verifies only with its own, so that this can but choose among keys. */
  readonly algorithm: JwtAlgorithm
  /** Chooses among keys, too. Headers that contain or point to keys are ignored. */
  readonly kid: string | undefined
  /** The signed bytes. */
  readonly signed: Buffer
  readonly signature: Buffer
  /**
   * The claims, which are not verified before the signature is.
   *
   * @throws {InvalidTokenError} when they are not a JSON object, repeat a member, or are nested deeper than `LIMITS.tokenDepth`
   */
  payload(): Readonly<Record<string, unknown>>
}

/** @throws {InvalidTokenError} when the token is refused by its form, with the reason `malformed`, `algorithm` or `type` */
export type CompactParser = (token: string) => CompactToken

/** What a token may be, before it is known whose it is. */
export interface AcceptedTokens {
  readonly algorithms: readonly JwtAlgorithm[]
  /** In lower case; '' is a token without `typ`. */
  readonly types: ReadonlySet<string>
}

/**
 * A parser for tokens in strict compact form, with one of the algorithms, an accepted type, and without critical headers, none of which
 * this package supports (RFC 7515, section 4.1.11). The tokens of an issuer have the same header, so the last accepted one is cached.
 */
export function createCompactParser(accepted: AcceptedTokens): CompactParser {
  let last: Header | undefined
  return (token) => {
    if (token.length > LIMITS.tokenBytes) throw new InvalidTokenError('malformed')
    const [header = '', payload = '', signature = '', ...rest] = token.split('.', 4)
    if (rest.length > 0) throw new InvalidTokenError('malformed')
    if (header !== last?.part) last = checkHeader(header, accepted)
    const { algorithm, kid } = last
    const claims = decode(payload)
    return {
      algorithm,
      kid,
      signed: Buffer.from(token.slice(0, header.length + 1 + payload.length), 'latin1'),
      signature: decode(signature),
      payload: () => parseObject(claims),
    }
  }
}

interface Header {
  readonly part: string
  readonly algorithm: JwtAlgorithm
  readonly kid: string | undefined
}

function checkHeader(part: string, { algorithms, types }: AcceptedTokens): Header {
  const { alg, typ, kid, crit, b64 } = parseObject(decode(part))
  const algorithm = algorithms.find((one) => one === alg)
  if (algorithm === undefined) throw new InvalidTokenError('algorithm')
  if (!isAccepted(typ, types)) throw new InvalidTokenError('type')
  if (kid !== undefined && typeof kid !== 'string') throw new InvalidTokenError('malformed')
  // An unencoded payload (RFC 7797) must be announced in `crit`; without that it could be misread.
  if (crit !== undefined || (b64 !== undefined && b64 !== true)) throw new InvalidTokenError('malformed')
  return { part, algorithm, kid }
}

function isAccepted(typ: unknown, types: ReadonlySet<string>): boolean {
  if (typ === undefined) return types.has('')
  return typeof typ === 'string' && typ !== '' && types.has(typ.toLowerCase())
}
