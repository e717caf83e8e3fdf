import { generateKeyPairSync, sign } from 'node:crypto'
import { createJwtVerifier, JwtError } from '@taproom/jwt'
import { jsonValue, type KnownMembers, knownMembers, knownObject, objectOf, perhapsBroken } from '../kit/json.ts'
import type { Random } from '../kit/random.ts'
import { inPlaces, JSON_SHAPES, MEMBER_SHAPES, type Shape, TEXT_SHAPES } from '../kit/shapes.ts'
import { anyUnicode, hostileText, mutateBytes, mutateText } from '../kit/text.ts'
import type { ParserTarget, Probe } from './parser-target.ts'

const ISSUER = 'https://issuer.example'
/** Times far from now, in seconds since 1970, so that a seed gives the same results on any day. */
const FAR_OFF = '4102444800'

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

/** A token signed with the key that the verifier trusts. */
type Sign = (header: string, payload: string | Buffer) => string

/** Tokens with hostile claims and headers: with a right or a wrong signature, cut, joined, misspelt. */
export async function openTokens(): Promise<ParserTarget> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  // Without a cache, so that a repeated token is verified again.
  const verifier = await createJwtVerifier({
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    algorithm: 'ES256',
    issuers: [ISSUER],
    cacheSize: 0,
  })
  const probe = (token: string): Probe => ({ run: () => verifier.verify(token), text: () => token })
  const encode = (text: string | Buffer) => Buffer.from(text as string).toString('base64url')
  const signed: Sign = (header, payload) => {
    const content = `${encode(header)}.${encode(payload)}`
    return `${content}.${sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }
  return {
    shapes: tokenShapes(signed).map(([name, make]) => [name, () => probe(make())]),
    input: (random) => probe(hostileToken(random, signed)),
    isOwn: (error) => error instanceof JwtError,
  }
}

function hostileToken(random: Random, signed: Sign): string {
  const payload = Buffer.from(perhapsBroken(random, knownObject(random, CLAIMS)))
  const token = signed(
    random.chance(0.7) ? HEADER : perhapsBroken(random, header(random)),
    random.chance(0.1) ? mutateBytes(random, payload) : payload,
  )
  const dice = random.next()
  if (dice < 0.7) return token
  if (dice < 0.85) return mutateText(random, token)
  if (dice >= 0.95) return random.chance(0.5) ? anyUnicode(random, 50) : hostileText(random, 20)
  const misspelt = (part: string) =>
    mutateBytes(random, Buffer.from(part, 'base64url')).toString(random.pick(['base64url', 'base64', 'hex']))
  const parts = token.split('.').map((part) => (random.chance(0.4) ? misspelt(part) : part))
  return parts.join('.')
}

function header(random: Random): string {
  const members = knownMembers(random, HEADERS)
  if (random.chance(0.3)) members.push([random.pick(OTHER_HEADERS), jsonValue(random)])
  return objectOf(members)
}

function tokenShapes(signed: Sign): readonly Shape<string>[] {
  const claims = (members: string) => signed(HEADER, `${LEGAL.slice(0, -1)},${members}}`)
  return [
    ...inPlaces(JSON_SHAPES, {
      payload: (json) => signed(HEADER, json),
      claim: (json) => claims(`"x":${json}`),
      groups: (json) => claims(`"groups":${json}`),
      header: (json) => signed(json, LEGAL),
      'header jwk': (json) => signed(`{"alg":"ES256","jwk":${json}}`, LEGAL),
    }),
    ...inPlaces(TEXT_SHAPES, {
      token: (text) => text,
      payload: (text) => signed(HEADER, text),
      kid: (kid) => signed(JSON.stringify({ alg: 'ES256', kid }), LEGAL),
      preferred_username: (text) => claims(`"preferred_username":${JSON.stringify(text)}`),
    }),
    ...inPlaces(MEMBER_SHAPES, {
      claims: (pairs) => claims(objectOf(pairs.map(([name, value]) => [name, JSON.stringify(value)])).slice(1, -1)),
    }),
    ['a mebibyte of dots', () => '.'.repeat(2 ** 20)],
    ['a mebibyte of signature', () => `${signed(HEADER, LEGAL)}${'A'.repeat(2 ** 20)}`],
  ]
}
