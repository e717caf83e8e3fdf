import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { issuer, stranger } from '../../tests/keys.ts'
import { createJwtVerifier } from '../verifier/verifier.ts'
import { createDevIssuer } from './dev-issuer.ts'

describe('createDevIssuer', () => {
  let folder: string
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'dev-issuer-')), 'keys')
  })
  afterEach(() => rm(join(folder, '..'), { recursive: true }))

  it('signs with the header of contract 2.1', async () => {
    const token = await issuer.sign()
    expect(decodeProtectedHeader(token)).toEqual({ kid: '/privateKey.pem', typ: 'JWT', alg: 'RS256' })
  })

  it('decisions 1.13: signs with a key of its own making, and is no part of what a service imports', async () => {
    const [one, other] = [issuer, stranger]
    expect(one.publicKeyPem).not.toBe(other.publicKeyPem)
    expect(Object.keys(one)).not.toContainEqual(expect.stringMatching(/private/i))
    expect(await import('../index.ts')).not.toHaveProperty('createDevIssuer')
  })

  it('decisions 1.14: gives a token 3600 s unless told otherwise', async () => {
    const { exp = 0, iat = 0 } = decodeJwt(await issuer.sign())
    expect(exp - iat).toBe(3600)
  })

  it('takes user, groups, life time and any claim', async () => {
    const mine = await createDevIssuer({ issuer: 'https://mine.example', algorithm: 'ES256' })
    const token = await mine.sign({
      user: 'ada',
      groups: ['a'],
      expiresInSeconds: 5,
      birthdate: '1815-12-10',
      jti: undefined,
    })
    const claims = decodeJwt(token)
    expect(claims).toMatchObject({
      iss: 'https://mine.example',
      sub: 'ada',
      upn: 'ada@taproom.example',
      preferred_username: 'ada',
      groups: ['a'],
      birthdate: '1815-12-10',
    })
    expect(claims).not.toHaveProperty('jti')
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(5)
  })

  it('keeps its keys in a folder, the private one for its owner only', async () => {
    const first = await createDevIssuer({ folder })
    const second = await createDevIssuer({ folder })
    expect(second.publicKeyPem).toBe(first.publicKeyPem)
    expect((await readdir(folder)).sort()).toEqual(['private-key.pem', 'public-key.pem'])
    expect((await stat(join(folder, 'private-key.pem'))).mode & 0o777).toBe(0o600)
    expect(await readFile(first.publicKeyFile ?? '', 'utf8')).toBe(first.publicKeyPem)
    const publicKeyLocation = first.publicKeyFile ?? ''
    const verifier = await createJwtVerifier({ publicKeyLocation, issuers: [first.issuer] })
    expect(await verifier.verify(await second.sign())).toHaveProperty('name')
  })

  it('is one issuer when several processes start at once', async () => {
    const issuers = await Promise.all([1, 2, 3, 4].map(() => createDevIssuer({ folder, algorithm: 'ES256' })))
    expect(new Set(issuers.map(({ publicKeyPem }) => publicKeyPem)).size).toBe(1)
  })

  it('tightens the mode of a private key that others could read', async () => {
    await createDevIssuer({ folder, algorithm: 'ES256' })
    await chmod(join(folder, 'private-key.pem'), 0o644)
    await createDevIssuer({ folder, algorithm: 'ES256' })
    expect((await stat(join(folder, 'private-key.pem'))).mode & 0o777).toBe(0o600)
  })

  it('refuses a key file that it can not read, naming it', async () => {
    await createDevIssuer({ folder, algorithm: 'ES256' })
    await writeFile(join(folder, 'private-key.pem'), 'garbage')
    await expect(createDevIssuer({ folder, algorithm: 'ES256' })).rejects.toMatchObject({
      code: 'JWT_CONFIG_INVALID',
      message: expect.stringContaining('private-key.pem'),
    })
  })
})
