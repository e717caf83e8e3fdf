import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { createJwtVerifier, type JwtAlgorithm, JwtError } from '@taproom/jwt'
import type { Random } from '../../harness/random.ts'
import { arrayOf, jsonValue, knownMembers, objectOf, perhapsBroken } from '../kit/json.ts'
import { inPlaces, JSON_SHAPES, type Shape, TEXT_SHAPES } from '../kit/shapes.ts'
import { hostileText, mutateText, several } from '../kit/text.ts'
import type { ParserTarget, Probe } from './parser-target.ts'

/** The largest key set that is read from a server, in bytes. */
const REMOTE_LIMIT = 256 * 1024

type KeyProbe = (publicKey: string, algorithm?: JwtAlgorithm) => Probe

/** Keys as a key server may send them: PEM, JWK, JWKS and Base64URL of these, right, broken and huge. */
export async function openKeys(): Promise<ParserTarget> {
  const pairs = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ]
  const jwks = pairs.map(({ publicKey }) => publicKey.export({ format: 'jwk' }))
  const pems = pairs.flatMap(({ publicKey, privateKey }) => [
    publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ])
  const probe: KeyProbe = (publicKey, algorithm = 'RS256') => ({
    run: async () => {
      const verifier = await createJwtVerifier({ publicKey, algorithm, issuers: ['https://issuer.example'] })
      verifier[Symbol.dispose]()
    },
    text: () => publicKey,
  })
  return {
    shapes: keyShapes(jwks, probe),
    input: (random) => probe(hostileKey(random, jwks, pems), random.pick(['RS256', 'ES256'])),
    isOwn: (error) => error instanceof JwtError,
  }
}

function hostileKey(random: Random, jwks: readonly JsonWebKey[], pems: readonly string[]): string {
  const set = () => `{"keys":${arrayOf(several(random, 100, () => jwkText(random, jwks)))}}`
  return random.pick([
    () => perhapsBroken(random, jwkText(random, jwks)),
    () => perhapsBroken(random, set()),
    () => Buffer.from(perhapsBroken(random, set())).toString('base64url'),
    () => mutateText(random, random.pick(pems)),
    () => pems.filter(() => random.chance(0.5)).join(''),
    () => jsonValue(random),
    () => hostileText(random, 20),
  ])()
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

function keyShapes([rsa, ec]: readonly JsonWebKey[], probe: KeyProbe): readonly Shape<Probe>[] {
  const many = (key: JsonWebKey | undefined) => {
    const size = JSON.stringify({ ...key, kid: '12345' }).length + 1
    const length = Math.floor((REMOTE_LIMIT - 20) / size)
    return JSON.stringify({ keys: Array.from({ length }, (_, index) => ({ ...key, kid: String(index) })) })
  }
  return [
    ['as many RSA keys as one answer holds', () => probe(many(rsa))],
    ['as many EC keys as one answer holds', () => probe(many(ec), 'ES256')],
    ['an RSA key of 100,000 bits', () => probe(JSON.stringify({ kty: 'RSA', e: 'AQAB', n: 'f'.repeat(17_000) }))],
    ['an exponent as long as the modulus', () => probe(JSON.stringify({ ...rsa, e: rsa?.n }))],
    ...inPlaces([...JSON_SHAPES, ...TEXT_SHAPES], {
      'as it is': (text) => probe(text),
      'in Base64URL': (text) => probe(Buffer.from(text).toString('base64url')),
      PEM: (text) => probe(`-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----`),
    }),
    ...inPlaces(JSON_SHAPES, {
      keys: (json) => probe(`{"keys":${json}}`),
      "a key's member": (json) => probe(`{"kty":"RSA","n":${json},"e":"AQAB"}`),
    }),
  ]
}
