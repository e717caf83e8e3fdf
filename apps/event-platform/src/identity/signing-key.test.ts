import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KeyFileError, openSigningKey } from './signing-key.ts'

const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
const { privateKey, publicKey } = rsa(2048)
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })

describe('openSigningKey', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'key-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('decisions 3.47: makes a key that its owner alone may read, and finds it again', async () => {
    const path = join(folder, 'state', 'key.pem')
    const { jwk } = await (await openSigningKey(path))()
    expect(jwk).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', kid: expect.stringMatching(/^[\w-]{43}$/) })
    expect(jwk).not.toHaveProperty('d')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(folder, 'state'))).toEqual(['key.pem'])
    expect((await (await openSigningKey(path))()).jwk).toEqual(jwk)
  })

  it('platforms that start at once in one folder come to one key', async () => {
    const path = join(folder, 'key.pem')
    const keys = await Promise.all(Array.from({ length: 5 }, async () => (await openSigningKey(path))()))
    expect([...new Set(keys.map(({ jwk }) => jwk.kid))]).toHaveLength(1)
    expect(readdirSync(folder)).toEqual(['key.pem'])
  })

  it('takes a key that is there', async () => {
    const path = join(folder, 'key.pem')
    writeFileSync(path, privateKey)
    await openSigningKey(path)
    expect(readFileSync(path, 'utf8')).toBe(privateKey)
  })

  it.each([
    ['nothing', ''],
    ['words', 'a key'],
    ['a public key', publicKey],
    ['a key of another kind', ec.toString()],
    ['a short key', rsa(1024).privateKey],
  ])('decisions 3.47: refuses a file that holds %s, and repeats nothing of it', async (_case, text) => {
    const path = join(folder, 'key.pem')
    writeFileSync(path, text)
    const error = await openSigningKey(path).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(KeyFileError)
    expect(error).toMatchObject({ message: expect.stringContaining('OIDC_KEY_FILE') })
    expect(error).not.toHaveProperty('cause')
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('refuses what it cannot read; without a file it makes one key, when it is needed', async () => {
    await expect(openSigningKey(folder)).rejects.toThrow(/OIDC_KEY_FILE/)
    const key = await openSigningKey(undefined)
    const [first, second] = await Promise.all([key(), key()])
    expect(first).toBe(second)
  })
})
