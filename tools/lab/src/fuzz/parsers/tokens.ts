import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createJwtVerifier, JwtError, type JwtVerifier } from '@taproom/jwt'
import type { Random } from '../../harness/random.ts'
import { jsonValue, type KnownMembers, knownMembers, knownObject, objectOf, perhapsBroken } from '../kit/json.ts'
import { inPlaces, JSON_SHAPES, MEMBER_SHAPES, type Shape, TEXT_SHAPES } from '../kit/shapes.ts'
import { anyUnicode, hostileText, mutateBytes, mutateText } from '../kit/text.ts'
import type { ParserTarget, Probe } from './parser-target.ts'
import { tokenOracle } from './token-oracle.ts'

const ISSUER = 'https://issuer.example'
/** The verifiers' time, in epoch milliseconds, and one far from it, in seconds, so that a seed gives the same results on any day. */
const NOW_MS = 1_800_000_000_000
const FAR_OFF = '4102444800'
/** As many forged tokens use up what a verifier checks on the event loop: further ones are checked in another thread. */
const FLOOD = 200

const CLAIMS: KnownMembers = {
  iss: [JSON.stringify(ISSUER)],
  exp: [FAR_OFF, FAR_OFF, '1e400', '1', '9007199254740993'],
  iat: ['1700000000', '1700000000', '-1', FAR_OFF],
  nbf: ['1700000000', FAR_OFF, '0.5'],
  sub: ['"duke"'],
  upn: ['"duke@example.org"'],
  preferred_username: ['"duke"', '"d\\u0000\\r\\nX: y"', '"\\ud800"'],
  groups: ['["Subscriber"]', '"Subscriber"', '[["Subscriber"]]', '{}'],
  aud: ['"taproom"', '[]', '[["taproom"]]'],
  jti: ['"1"'],
}
const HEADERS: KnownMembers = {
  alg: ['"ES256"', '"ES256"', '"ES256"', '"none"', '"HS256"', '"RS256"', '["ES256"]'],
  typ: ['"JWT"', '"at+jwt"', '"jwt"'],
  kid: ['"key"', '""'],
}
const OTHER_HEADERS = ['crit', 'b64', 'jwk', 'jku', 'x5u', 'x5c', 'zip', 'cty', 'enc', '__proto__']

const HEADER = '{"alg":"ES256","typ":"JWT","kid":"key"}'
const LEGAL = `{"iss":"${ISSUER}","exp":${FAR_OFF},"iat":1700000000,"sub":"duke","groups":["Subscriber"]}`

type Sign = (header: string, payload: string | Buffer) => string

interface Signers {
  /** With the key that the verifier trusts. */
  readonly signed: Sign
  /** With another key. */
  readonly forged: Sign
}

/** A verifier, as the surface needs it; tests give faulty ones. */
export type TokenVerifier = Pick<JwtVerifier, 'verify'>

/**
 * Tokens with hostile claims and headers: with a right or a wrong signature, cut, joined, misspelt. One verifier checks all signatures on the
 * event loop, the other one in another thread, as it does during a flood of forged tokens.
 */
export async function openTokens(wrap = (verifier: TokenVerifier) => verifier): Promise<ParserTarget> {
  const [own, other] = [newKeys(), newKeys()]
  const signers: Signers = { signed: signerOf(own.privateKey), forged: signerOf(other.privateKey) }
  const judge = tokenOracle({ publicKey: own.publicKey, issuer: ISSUER, clock: () => NOW_MS })
  // As often as they look, a second has passed, or none.
  let looks = 0
  const calm = wrap(await verifierOf(own.publicKey, () => NOW_MS + 1000 * ++looks))
  const flooded = wrap(await verifierOf(own.publicKey, () => NOW_MS))
  const forgery = signers.forged(HEADER, LEGAL)
  for (let left = FLOOD; left > 0; left -= 1) await Promise.resolve(flooded.verify(forgery)).catch(() => undefined)
  const probe = (verifier: TokenVerifier, { token, isSigned }: Token): Probe => ({
    run: () => verifier.verify(token),
    text: () => token,
    judge: judge(token, isSigned),
  })
  return {
    shapes: tokenShapes(signers).map(([name, make]) => [name, () => probe(calm, make())]),
    input: (random) => probe(random.chance(0.5) ? calm : flooded, hostileToken(random, signers)),
    isOwn: (error) => error instanceof JwtError,
  }
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Without a cache, so that a repeated token is verified again. */
function verifierOf(publicKey: KeyObject, clock: () => number): Promise<JwtVerifier> {
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  return createJwtVerifier({ publicKey: pem, algorithm: 'ES256', issuers: [ISSUER], cacheSize: 0, clock })
}

function signerOf(key: KeyObject): Sign {
  const encode = (text: string | Buffer) => Buffer.from(text as string).toString('base64url')
  return (header, payload) => {
    const content = `${encode(header)}.${encode(payload)}`
    return `${content}.${sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }
}

/** A token, and whether the fuzzer signed exactly this token with the trusted key. */
interface Token {
  readonly token: string
  readonly isSigned: boolean
}

function hostileToken(random: Random, { signed, forged }: Signers): Token {
  const isForged = random.chance(0.15)
  const isLegal = random.chance(isForged ? 0.5 : 0.1)
  const payload = Buffer.from(isLegal ? LEGAL : perhapsBroken(random, knownObject(random, CLAIMS)))
  const token = (isForged ? forged : signed)(
    random.chance(0.7) ? HEADER : perhapsBroken(random, header(random)),
    random.chance(0.1) ? mutateBytes(random, payload) : payload,
  )
  const changed = changedToken(random, token)
  return { token: changed, isSigned: !isForged && changed === token }
}

function changedToken(random: Random, token: string): string {
  const dice = random.next()
  if (dice < 0.6) return token
  if (dice < 0.7) return otherSignature(random, token)
  if (dice < 0.85) return mutateText(random, token)
  if (dice >= 0.95) return random.chance(0.5) ? anyUnicode(random, 50) : hostileText(random, 20)
  const misspelt = (part: string) =>
    mutateBytes(random, Buffer.from(part, 'base64url')).toString(random.pick(['base64url', 'base64', 'hex']))
  const parts = token.split('.').map((part) => (random.chance(0.4) ? misspelt(part) : part))
  return parts.join('.')
}

/** The token with another signature: of other bits, of zeros, or none. */
function otherSignature(random: Random, token: string): string {
  const at = token.lastIndexOf('.') + 1
  const bytes = Buffer.from(token.slice(at), 'base64url')
  const other = random.pick([
    () => mutateBytes(random, bytes),
    () => Buffer.alloc(bytes.length),
    () => Buffer.alloc(0),
  ])()
  return token.slice(0, at) + other.toString('base64url')
}

function header(random: Random): string {
  const members = knownMembers(random, HEADERS)
  if (random.chance(0.3)) members.push([random.pick(OTHER_HEADERS), jsonValue(random)])
  return objectOf(members)
}

function tokenShapes({ signed, forged }: Signers): readonly Shape<Token>[] {
  const claims = (members: string) => signed(HEADER, `${LEGAL.slice(0, -1)},${members}}`)
  const right = signed(HEADER, LEGAL)
  const isSigned = (token: string): Token => ({ token, isSigned: true })
  const isNot = (token: string): Token => ({ token, isSigned: false })
  return [
    ...inPlaces(JSON_SHAPES, {
      payload: (json) => isSigned(signed(HEADER, json)),
      claim: (json) => isSigned(claims(`"x":${json}`)),
      groups: (json) => isSigned(claims(`"groups":${json}`)),
      header: (json) => isSigned(signed(json, LEGAL)),
      'header jwk': (json) => isSigned(signed(`{"alg":"ES256","jwk":${json}}`, LEGAL)),
    }),
    ...inPlaces(TEXT_SHAPES, {
      token: isNot,
      payload: (text) => isSigned(signed(HEADER, text)),
      kid: (kid) => isSigned(signed(JSON.stringify({ alg: 'ES256', kid }), LEGAL)),
      preferred_username: (text) => isSigned(claims(`"preferred_username":${JSON.stringify(text)}`)),
    }),
    ...inPlaces(MEMBER_SHAPES, {
      claims: (pairs) =>
        isSigned(claims(objectOf(pairs.map(([name, value]) => [name, JSON.stringify(value)])).slice(1, -1))),
    }),
    ['a mebibyte of dots', () => isNot('.'.repeat(2 ** 20))],
    ['a mebibyte of signature', () => isNot(`${right}${'A'.repeat(2 ** 20)}`)],
    ['a right token', () => isSigned(right)],
    ['a token of another key', () => isNot(forged(HEADER, LEGAL))],
    ['a token without signature', () => isNot(`${right.slice(0, right.lastIndexOf('.'))}.`)],
  ]
}
