import { generateKeyPairSync, sign } from 'node:crypto'
import { createJwtVerifier, JwtError } from '@taproom/jwt'
import { jsonValue, knownMembers, objectOf, perhapsBroken } from '../kit/json.ts'
import type { Random } from '../kit/random.ts'
import { JSON_SHAPES, MEMBER_SHAPES, TEXT_SHAPES } from '../kit/shapes.ts'
import { anyUnicode, hostileText, mutateBytes, mutateText } from '../kit/text.ts'
import type { ParserTarget, Probe, ShapeProbe } from './parser-target.ts'

const ISSUER = 'https://issuer.example'
/** Times far from now, in seconds since 1970, so that a seed gives the same results on any day. */
const FAR_OFF = '4102444800'

const CLAIMS: Readonly<Record<string, readonly string[]>> = {
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
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  alg: ['"ES256"', '"ES256"', '"ES256"', '"none"', '"HS256"', '"RS256"', '["ES256"]'],
  typ: ['"JWT"', '"at+jwt"', '"jwt"'],
  kid: ['"key"', '""'],
}
const OTHER_HEADERS = ['crit', 'b64', 'jwk', 'jku', 'x5u', 'x5c', 'zip', 'cty', 'enc', '__proto__']

/** Tokens with hostile claims and headers: with a right or a wrong signature, cut, joined, misspelt. */
export async function openTokens(): Promise<ParserTarget> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  // Without a cache, so that a repeated token is verified again.
  const verifier = await createJwtVerifier({
    publicKey: publicKeyPem,
    algorithm: 'ES256',
    issuers: [ISSUER],
    cacheSize: 0,
  })

  const probe = (token: string): Probe => ({ run: () => verifier.verify(token), text: () => token })
  const encode = (text: string | Buffer) => Buffer.from(text as string).toString('base64url')
  const signed = (header: string, payload: string | Buffer): string => {
    const content = `${encode(header)}.${encode(payload)}`
    return `${content}.${sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }

  const input = (random: Random): Probe => {
    const payload = Buffer.from(perhapsBroken(random, claims(random)))
    const token = signed(
      random.chance(0.7) ? HEADER : perhapsBroken(random, header(random)),
      random.chance(0.1) ? mutateBytes(random, payload) : payload,
    )
    const dice = random.next()
    if (dice < 0.7) return probe(token)
    if (dice < 0.85) return probe(mutateText(random, token))
    if (dice < 0.95)
      return probe(
        token
          .split('.')
          .map((part) =>
            random.chance(0.4)
              ? mutateBytes(random, Buffer.from(part, 'base64url')).toString(
                  random.pick(['base64url', 'base64', 'hex']),
                )
              : part,
          )
          .join('.'),
      )
    return probe(random.chance(0.5) ? anyUnicode(random, 50) : hostileText(random, 20))
  }
  const shapes: ShapeProbe[] = [
    ...JSON_SHAPES.flatMap(({ name, make }) => [
      { name: `payload: ${name}`, make: () => probe(signed(HEADER, make())) },
      { name: `claim: ${name}`, make: () => probe(signed(HEADER, legalWith('x', make()))) },
      { name: `groups: ${name}`, make: () => probe(signed(HEADER, legalWith('groups', make()))) },
      { name: `header: ${name}`, make: () => probe(signed(make(), LEGAL)) },
      { name: `header jwk: ${name}`, make: () => probe(signed(`{"alg":"ES256","jwk":${make()}}`, LEGAL)) },
    ]),
    ...TEXT_SHAPES.flatMap(({ name, make }) => [
      { name: `token: ${name}`, make: () => probe(make()) },
      { name: `payload: ${name}`, make: () => probe(signed(HEADER, make())) },
      { name: `kid: ${name}`, make: () => probe(signed(JSON.stringify({ alg: 'ES256', kid: make() }), LEGAL)) },
      {
        name: `preferred_username: ${name}`,
        make: () => probe(signed(HEADER, legalWith('preferred_username', JSON.stringify(make())))),
      },
    ]),
    ...MEMBER_SHAPES.map(({ name, make }) => ({
      name,
      make: () =>
        probe(
          signed(
            HEADER,
            `${LEGAL.slice(0, -1)},${objectOf(make().map(([member, value]) => [member, JSON.stringify(value)])).slice(1)}`,
          ),
        ),
    })),
    { name: 'a mebibyte of dots', make: () => probe('.'.repeat(2 ** 20)) },
    { name: 'a mebibyte of signature', make: () => probe(`${signed(HEADER, LEGAL)}${'A'.repeat(2 ** 20)}`) },
  ]
  return { shapes, input, isOwn: (error) => error instanceof JwtError }
}

const HEADER = '{"alg":"ES256","typ":"JWT","kid":"key"}'
const LEGAL = `{"iss":"${ISSUER}","exp":${FAR_OFF},"iat":1700000000,"sub":"duke","groups":["Subscriber"]}`

function legalWith(claim: string, json: string): string {
  return `${LEGAL.slice(0, -1)},${JSON.stringify(claim)}:${json}}`
}

function claims(random: Random): string {
  return objectOf(knownMembers(random, CLAIMS))
}

function header(random: Random): string {
  const members = knownMembers(random, HEADERS)
  if (random.chance(0.3)) members.push([random.pick(OTHER_HEADERS), jsonValue(random)])
  return objectOf(members)
}
