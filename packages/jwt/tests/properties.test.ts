import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompactEncrypt } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { type AuthenticateOptions, authenticate, createJwtVerifier, type JwtVerifierOptions } from '../src/index.ts'
import { createDevIssuer, type DevClaims } from '../src/testing/index.ts'
import { serving, welcome } from './serve.ts'

const listen = serving()
const folder = await mkdtemp(join(tmpdir(), 'jwt-'))
afterAll(() => rm(folder, { recursive: true }))
const [issuer, es] = [await createDevIssuer({ folder }), await createDevIssuer({ algorithm: 'ES256' })]
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const decryptKeyLocation = join(folder, 'decrypt.pem')
await writeFile(decryptKeyLocation, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))

interface Request {
  readonly verifier?: Partial<JwtVerifierOptions>
  readonly authenticate?: AuthenticateOptions
  readonly token?: string | Promise<string>
  /** How the token is sent. Default: in the Authorization header. */
  readonly send?: (token: string) => Record<string, string>
}

async function status({ verifier, authenticate: options, token, send }: Request): Promise<number> {
  const key = verifier?.publicKeyLocation === undefined ? { publicKey: issuer.publicKeyPem } : {}
  const one = await createJwtVerifier({ ...key, issuers: [issuer.issuer], ...verifier })
  const sent = await (token ?? issuer.sign())
  const headers = send?.(sent) ?? { Authorization: `Bearer ${sent}` }
  return (await fetch(await listen(welcome(authenticate(one, options))), { headers })).status
}

const encrypted = async (alg: string) =>
  new CompactEncrypt(Buffer.from(await issuer.sign()))
    .setProtectedHeader({ alg, enc: 'A256GCM', cty: 'JWT' })
    .encrypt(pair.publicKey)
const aged = (seconds: number, claims?: DevClaims) =>
  issuer.sign({ iat: Math.floor(Date.now() / 1000) - seconds, ...claims })
const inCookie = (name: string) => (token: string) => ({ Cookie: `${name}=${token}` })

/** For each property of MicroProfile JWT 2.1 a request that is accepted because of it, and one that is refused. */
const PROPERTIES: Readonly<Record<string, readonly [accepted: Request, refused: Request]>> = {
  'mp.jwt.verify.publickey': [{}, { verifier: { publicKey: es.publicKeyPem, algorithm: 'ES256' } }],
  'mp.jwt.verify.publickey.location': [
    { verifier: { publicKeyLocation: issuer.publicKeyFile } },
    { verifier: { publicKeyLocation: issuer.publicKeyFile }, token: es.sign() },
  ],
  'mp.jwt.verify.publickey.algorithm': [
    { verifier: { publicKey: es.publicKeyPem, algorithm: 'ES256' }, token: es.sign() },
    { token: es.sign() },
  ],
  'mp.jwt.verify.issuer': [
    { verifier: { issuers: ['https://mine.example'] }, token: issuer.sign({ iss: 'https://mine.example' }) },
    { verifier: { issuers: ['https://mine.example'] } },
  ],
  'mp.jwt.verify.audiences': [
    { verifier: { audiences: ['x', 'y'] }, token: issuer.sign({ aud: ['y'] }) },
    { verifier: { audiences: ['x', 'y'] }, token: issuer.sign({ aud: undefined }) },
  ],
  'mp.jwt.verify.clock.skew': [
    { verifier: { clockSkewSeconds: 600 }, token: issuer.sign({ expiresInSeconds: -10 }) },
    { token: issuer.sign({ expiresInSeconds: -10 }) },
  ],
  'mp.jwt.verify.token.age': [
    { verifier: { maxTokenAgeSeconds: 1000 }, token: aged(120) },
    { verifier: { maxTokenAgeSeconds: 100 }, token: aged(120) },
  ],
  'mp.jwt.decrypt.key.location': [
    { verifier: { decryptKeyLocation }, token: encrypted('RSA-OAEP') },
    { verifier: { decryptKeyLocation } },
  ],
  'mp.jwt.decrypt.key.algorithm': [
    { verifier: { decryptKeyLocation, decryptKeyAlgorithm: 'RSA-OAEP-256' }, token: encrypted('RSA-OAEP-256') },
    { verifier: { decryptKeyLocation, decryptKeyAlgorithm: 'RSA-OAEP-256' }, token: encrypted('RSA-OAEP') },
  ],
  'mp.jwt.token.header': [
    { authenticate: { header: 'Cookie' }, send: inCookie('Bearer') },
    { authenticate: { header: 'Cookie' } },
  ],
  'mp.jwt.token.cookie': [
    { authenticate: { header: 'Cookie', cookie: 'session' }, send: inCookie('session') },
    { authenticate: { header: 'Cookie', cookie: 'session' }, send: inCookie('Bearer') },
  ],
}

describe('the properties of MicroProfile JWT', () => {
  it.each(Object.entries(PROPERTIES))('%s has its effect', async (_, [accepted, refused]) => {
    expect(await status(accepted)).toBe(200)
    expect(await status(refused)).toBe(401)
  })

  it('are all in the README, and no others', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const rows = readme.split('\n').filter((line) => line.startsWith('| `'))
    const named = rows.flatMap((row) => row.match(/mp\.jwt\.[a-z.]+[a-z]/g) ?? [])
    expect([...new Set(named)].sort()).toEqual(Object.keys(PROPERTIES).sort())
  })
})
