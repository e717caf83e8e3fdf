import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { createJwtVerifier, type JwtAlgorithm, JwtError } from '@taproom/jwt'
import { jsonValue, knownMembers, objectOf, perhapsBroken } from '../kit/json.ts'
import type { Random } from '../kit/random.ts'
import { JSON_SHAPES, TEXT_SHAPES } from '../kit/shapes.ts'
import { count, hostileText, mutateText } from '../kit/text.ts'
import type { ParserTarget, Probe, ShapeProbe } from './parser-target.ts'

/** The largest key set that is read from a server, in bytes. */
const REMOTE_LIMIT = 256 * 1024

/** Keys as a key server may send them: PEM, JWK, JWKS and Base64URL of these, right, broken and huge. */
export async function openKeys(): Promise<ParserTarget> {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwks = [rsa, ec].map(({ publicKey }) => publicKey.export({ format: 'jwk' }))
  const pems = [rsa, ec].flatMap(({ publicKey, privateKey }) => [
    publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ])

  const probe = (publicKey: string, algorithm: JwtAlgorithm): Probe => ({
    run: async () => {
      const verifier = await createJwtVerifier({ publicKey, algorithm, issuers: ['https://issuer.example'] })
      verifier[Symbol.dispose]()
    },
    text: () => publicKey,
  })
  const input = (random: Random): Probe => {
    const set = () => `{"keys":[${Array.from({ length: count(random, 100) }, () => jwkText(random, jwks)).join(',')}]}`
    const text = random.pick([
      () => perhapsBroken(random, jwkText(random, jwks)),
      () => perhapsBroken(random, set()),
      () => Buffer.from(perhapsBroken(random, set())).toString('base64url'),
      () => mutateText(random, random.pick(pems)),
      () => pems.filter(() => random.chance(0.5)).join(''),
      () => jsonValue(random),
      () => hostileText(random, 20),
    ])()
    return probe(text, random.pick(['RS256', 'ES256']))
  }
  const many = (key: JsonWebKey | undefined) => {
    const size = JSON.stringify({ ...key, kid: '12345' }).length + 1
    const keys = Array.from({ length: Math.floor((REMOTE_LIMIT - 20) / size) }, (_, index) => ({
      ...key,
      kid: String(index),
    }))
    return JSON.stringify({ keys })
  }
  const shapes: ShapeProbe[] = [
    { name: 'as many RSA keys as one answer holds', make: () => probe(many(jwks[0]), 'RS256') },
    { name: 'as many EC keys as one answer holds', make: () => probe(many(jwks[1]), 'ES256') },
    {
      name: 'an RSA key of 100,000 bits',
      make: () => probe(JSON.stringify({ kty: 'RSA', e: 'AQAB', n: 'f'.repeat(17_000) }), 'RS256'),
    },
    {
      name: 'an exponent as long as the modulus',
      make: () => probe(JSON.stringify({ ...jwks[0], e: jwks[0]?.n }), 'RS256'),
    },
    ...[...JSON_SHAPES, ...TEXT_SHAPES].flatMap(({ name, make }) => [
      { name, make: () => probe(make(), 'RS256') },
      { name: `in Base64URL: ${name}`, make: () => probe(Buffer.from(make()).toString('base64url'), 'RS256') },
      {
        name: `PEM: ${name}`,
        make: () => probe(`-----BEGIN PUBLIC KEY-----\n${make()}\n-----END PUBLIC KEY-----`, 'RS256'),
      },
    ]),
    ...JSON_SHAPES.flatMap(({ name, make }) => [
      { name: `keys: ${name}`, make: () => probe(`{"keys":${make()}}`, 'RS256') },
      { name: `a key's member: ${name}`, make: () => probe(`{"kty":"RSA","n":${make()},"e":"AQAB"}`, 'RS256') },
    ]),
  ]
  return { shapes, input, isOwn: (error) => error instanceof JwtError }
}

function jwkText(random: Random, jwks: readonly JsonWebKey[]): string {
  const values = Object.entries(random.pick(jwks)).map(([name, value]) => [name, [JSON.stringify(value)]] as const)
  const members = knownMembers(random, {
    ...Object.fromEntries(values),
    kid: ['"a"', '"b"', '""'],
    use: ['"sig"', '"enc"'],
    alg: ['"RS256"', '"ES256"', '"HS256"'],
    key_ops: ['["verify"]', '[]', '"verify"'],
  })
  if (random.chance(0.1)) members.push([random.pick(['d', 'k', 'oth', 'x5c', 'crv', 'kty']), jsonValue(random, 2)])
  return objectOf(members)
}
