import {
  constants,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  type SigningOptions,
  sign,
} from 'node:crypto'
import fc from 'fast-check'
import { jwtVerify } from 'jose'
import { InvalidTokenError } from '../src/errors.ts'
import { ALGORITHMS, type JwtAlgorithm } from '../src/keys/algorithms.ts'
import { createJwtVerifier } from '../src/verifier/verifier.ts'
import type { JwtVerifierOptions } from '../src/verifier/verifier-options.ts'
import { otherRsaPair, rsaPair } from './keys.ts'

export const ISSUER = 'https://issuer.taproom.example'
export const NOW = 1_750_000_000

const newPairs = (rsa: KeyPairKeyObjectResult, ed = generateKeyPairSync('ed25519')) => ({
  RS256: rsa,
  PS256: rsa,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  EdDSA: ed,
  Ed25519: ed,
})
export const PAIRS = newPairs(rsaPair)
const STRANGERS = newPairs(otherRsaPair)

export const SIGNING: Readonly<Record<JwtAlgorithm, [digest: string | null, options: SigningOptions]>> = {
  RS256: ['sha256', {}],
  PS256: ['sha256', { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }],
  ES256: ['sha256', { dsaEncoding: 'ieee-p1363' }],
  ES384: ['sha384', { dsaEncoding: 'ieee-p1363' }],
  ES512: ['sha512', { dsaEncoding: 'ieee-p1363' }],
  EdDSA: [null, {}],
  Ed25519: [null, {}],
}

export const part = (text: string | Buffer) => Buffer.from(text).toString('base64url')

/** A token of these bytes. */
export function signed(
  header: string | Buffer,
  payload: string | Buffer,
  algorithm: JwtAlgorithm,
  key: KeyObject,
): string {
  const input = `${part(header)}.${part(payload)}`
  const [digest, options] = SIGNING[algorithm]
  const signature = sign(digest, Buffer.from(input), { key, ...options })
  return `${input}.${signature.toString('base64url')}`
}

/** What jose says, with the rules it does not have (strict encoding, finite times, decisions 1.9 and 1.10) checked around it. */
async function joseAccepts(token: string, algorithm: JwtAlgorithm, options: Partial<JwtVerifierOptions>) {
  const parts = token.split('.')
  if (parts.length !== 3 || !parts.every((text) => text !== '' && part(Buffer.from(text, 'base64url')) === text))
    return false
  try {
    const { payload, protectedHeader } = await jwtVerify(token, PAIRS[algorithm].publicKey, {
      algorithms: [algorithm],
      issuer: ISSUER,
      ...(options.audiences && { audience: [...options.audiences] }),
      clockTolerance: options.clockSkewSeconds ?? 0,
      requiredClaims: ['exp', 'iat'],
      currentDate: new Date(NOW * 1000),
    })
    const { typ, kid, crit, b64 = true } = protectedHeader as Record<string, unknown>
    const { iat = 0, exp = 0, upn, preferred_username, sub } = payload
    return (
      (typ === undefined ||
        (typeof typ === 'string' && ['jwt', 'at+jwt', 'application/at+jwt'].includes(typ.toLowerCase()))) &&
      (kid === undefined || typeof kid === 'string') &&
      // jose understands b64 in crit, and passes over it elsewhere.
      crit === undefined &&
      b64 === true &&
      [iat, exp].every(Number.isFinite) &&
      iat <= exp &&
      iat <= NOW + 60 &&
      (options.maxTokenAgeSeconds === undefined ||
        NOW < iat + options.maxTokenAgeSeconds + (options.clockSkewSeconds ?? 0)) &&
      [upn, preferred_username, sub].some((name) => typeof name === 'string' && name !== '')
    )
  } catch {
    return false
  }
}

const VARIANTS: readonly Partial<JwtVerifierOptions>[] = [
  {},
  { clockSkewSeconds: 30, audiences: ['a', 'b'] },
  { maxTokenAgeSeconds: 100, clockSkewSeconds: 5 },
]

/** Throws when the verifier and jose do not agree on a token. */
export async function agree(token: string, algorithm: JwtAlgorithm, counts: { accepted: number; refused: number }) {
  const publicKey = PAIRS[algorithm].publicKey.export({ type: 'spki', format: 'pem' }).toString()
  for (const options of VARIANTS) {
    const clock = () => NOW * 1000
    const verifier = await createJwtVerifier({
      publicKey,
      issuers: [ISSUER],
      algorithm,
      clock,
      cacheSize: 0,
      ...options,
    })
    const accepted = await Promise.resolve(verifier.verify(token)).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof InvalidTokenError)) throw error
        return false
      },
    )
    if (accepted !== (await joseAccepts(token, algorithm, options))) {
      throw new Error(
        `taproom ${accepted ? 'accepts' : 'refuses'} what jose does not, or the other way round: ${token}`,
      )
    }
    counts[accepted ? 'accepted' : 'refused'] += 1
  }
}

/** The curves beyond P-256 take a hundred times as long. */
const algorithm = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom<JwtAlgorithm>('RS256', 'PS256', 'ES256', 'EdDSA') },
  { weight: 1, arbitrary: fc.constantFrom<JwtAlgorithm>('ES384', 'ES512') },
)
const near = (...offsets: number[]) => fc.constantFrom(...offsets.map((offset) => NOW + offset))
const odd = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(null, '', '0', -1, 1e300))
/** Mostly as it should be, so that a fair share of tokens is accepted. */
const mostly = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: good as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: bad })

const claims = fc.record(
  {
    iss: mostly(fc.constant(ISSUER), odd),
    exp: mostly(near(1, 60, 3600), fc.oneof(odd, near(-31, -30, -29, -10, 0))),
    iat: mostly(near(-120, -50, -1, 0), fc.oneof(odd, near(59, 60, 61, 4000))),
    sub: mostly(fc.string(), odd),
    nbf: mostly(near(-60, 0), fc.oneof(odd, near(1, 30, 31))),
    aud: mostly(fc.constantFrom('a', ['x', 'b'], 'c', [], ['c', 5]), odd),
    upn: mostly(fc.string({ minLength: 1 }), odd),
    ['__proto__']: odd,
  },
  { requiredKeys: ['iss', 'exp', 'iat', 'upn'] },
)
const header = (alg: JwtAlgorithm) => {
  const ordinary = {
    alg: mostly(fc.constant(alg), fc.oneof(odd, fc.constantFrom(...ALGORITHMS, 'HS256', 'none', 'ES256K', 'Ed448'))),
    typ: mostly(
      fc.constantFrom('JWT', 'jwt', 'at+jwt', 'application/at+jwt'),
      fc.oneof(odd, fc.constantFrom('JWS', 'dpop+jwt')),
    ),
    kid: mostly(fc.string(), odd),
    jwk: fc.constant(STRANGERS[alg].publicKey.export({ format: 'jwk' })),
    jku: fc.constantFrom('https://keys.example/jwks.json', 'http://127.0.0.1:1/jwks?a=b#c', ''),
  }
  const extended = {
    ...ordinary,
    crit: fc.oneof(odd, fc.constantFrom(['b64'], ['exp'], [], ['b64', 'b64'])),
    b64: fc.boolean(),
  }
  return mostly(
    fc.record(ordinary, { requiredKeys: ['alg'] }),
    fc.record(extended, { requiredKeys: ['alg'] }),
  ) as fc.Arbitrary<object>
}

export interface Counts {
  readonly accepted: number
  readonly refused: number
}

/** Has both verify signed tokens of generated headers and claims. */
export async function agreeOnSigned(runs: fc.Parameters<unknown>): Promise<Counts> {
  const counts = { accepted: 0, refused: 0 }
  // Made once: making what makes headers takes a hundred times as long as making one.
  const tokensOf = Object.fromEntries(
    ALGORITHMS.map((alg) => [
      alg,
      fc.record({
        alg: fc.constant(alg),
        header: header(alg),
        claims,
        honest: mostly(fc.constant(true), fc.constant(false)),
      }),
    ]),
  ) as Record<JwtAlgorithm, fc.Arbitrary<{ alg: JwtAlgorithm; header: object; claims: object; honest: unknown }>>
  const tokens = algorithm.chain((alg) => tokensOf[alg])
  await fc.assert(
    fc.asyncProperty(tokens, async ({ alg, header, claims, honest }) => {
      const { privateKey } = (honest ? PAIRS : STRANGERS)[alg]
      await agree(signed(JSON.stringify(header), JSON.stringify(claims), alg, privateKey), alg, counts)
    }),
    runs,
  )
  return counts
}

/** Has both verify tokens of which characters were changed. */
export async function agreeOnMutated(runs: fc.Parameters<unknown>): Promise<Counts> {
  const counts = { accepted: 0, refused: 0 }
  const good = (alg: JwtAlgorithm) =>
    signed(
      JSON.stringify({ alg, typ: 'JWT' }),
      JSON.stringify({ iss: ISSUER, exp: NOW + 60, iat: NOW, upn: 'duke', aud: 'a' }),
      alg,
      PAIRS[alg].privateKey,
    )
  const tokens = Object.fromEntries(ALGORITHMS.map((alg) => [alg, good(alg)])) as Record<JwtAlgorithm, string>
  const mutation = fc.record({
    at: fc.nat(),
    remove: fc.nat({ max: 3 }),
    insert: fc.oneof(
      fc.constantFrom('', '.', '=', ' ', '\n', 'A', '-', '_', '+', '/', 'ä'),
      fc.base64String({ maxLength: 4 }),
    ),
  })
  await fc.assert(
    fc.asyncProperty(algorithm, mutation, async (alg, { at, remove, insert }) => {
      const token = tokens[alg]
      // The last characters carry bits that decode to nothing: they are tried more often.
      const index = at % 3 === 0 ? token.length - 1 - (at % 5) : at % token.length
      await agree(token.slice(0, index) + insert + token.slice(index + remove), alg, counts)
    }),
    runs,
  )
  return counts
}
