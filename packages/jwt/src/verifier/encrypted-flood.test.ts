import { randomBytes, subtle } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { rsaPair } from '../../tests/keys.ts'
import { createVerification, encode } from '../../tests/verification.ts'
import type { JwtVerifier } from './verifier.ts'

const { verifier } = await createVerification()
const header = encode({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT' })
/** A token that looks encrypted, and is not; with a first byte of 255, the key opens no number as large, which takes no time. */
const forge = (first = 0) =>
  [
    header,
    ...[256, 12, 30, 16].map((bytes) =>
      Buffer.concat([Buffer.from([first]), randomBytes(bytes - 1)]).toString('base64url'),
    ),
  ].join('.')

async function outcome(one: JwtVerifier, token: string): Promise<string> {
  return Promise.resolve(one.verify(token)).then(
    () => 'accepted',
    ({ reason, code }: { reason?: string; code?: string }) => reason ?? String(code),
  )
}

describe('encrypted tokens that nobody encrypted', () => {
  let folder: string
  let decryptKeyLocation: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jwt-'))
    decryptKeyLocation = join(folder, 'key.pem')
    await writeFile(decryptKeyLocation, rsaPair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  })
  afterAll(() => rm(folder, { recursive: true }))
  afterEach(() => void vi.restoreAllMocks())

  it('wait by no more than 1000; one that is known needs no wait, and so no place', async () => {
    const one = await verifier({ decryptKeyLocation })
    const known = forge()
    expect(await outcome(one, known)).toBe('encryption')
    const waiting = Array.from({ length: 1000 }, () => outcome(one, forge(255)))
    expect(await outcome(one, forge())).toBe('JWT_VERIFIER_BUSY')
    expect(await outcome(one, known)).toBe('encryption')
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['encryption']))
    expect(await outcome(one, forge())).toBe('encryption')
    expect(one.outcomes()).toMatchObject({ busy: 1, encryption: 1003 })
  })

  it('are decrypted once, also when they come many times at once', async () => {
    const decrypt = vi.spyOn(subtle, 'decrypt')
    const one = await verifier({ decryptKeyLocation })
    await outcome(one, forge())
    const once = decrypt.mock.calls.length
    expect(once).toBeGreaterThan(0)
    const token = forge()
    const many = await Promise.all(Array.from({ length: 20 }, () => outcome(one, token)))
    expect(new Set([...many, await outcome(one, token)])).toEqual(new Set(['encryption']))
    expect(decrypt.mock.calls).toHaveLength(2 * once)
  })

  it('are known up to cacheSize, the latest of them', async () => {
    const decrypt = vi.spyOn(subtle, 'decrypt')
    const one = await verifier({ decryptKeyLocation, cacheSize: 1 })
    const [first, second] = [forge(), forge()]
    await outcome(one, first)
    const once = decrypt.mock.calls.length
    for (const token of [second, second, first]) await outcome(one, token)
    expect(decrypt.mock.calls).toHaveLength(3 * once)
  })
})
