import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { issuer, renamed, stranger } from '../../tests/keys.ts'
import { createJwtVerifier } from '../verifier/verifier.ts'

const a = renamed(issuer, { kid: 'a' })
const b = renamed(stranger, { kid: 'b', issuer: a.issuer })
const HALF_A_MINUTE = 30_000
const HOUR = 3_600_000

describe('decisions 3.2: a file with keys', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  async function open(text: string) {
    const folder = await mkdtemp(join(tmpdir(), 'keys-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const publicKeyLocation = join(folder, 'key')
    await writeFile(publicKeyLocation, text)
    const verifier = await createJwtVerifier({ publicKeyLocation, issuers: [a.issuer] })
    onTestFinished(() => verifier[Symbol.dispose]())
    const isAccepted = (token: string) =>
      Promise.resolve(verifier.verify(token)).then(
        () => true,
        () => false,
      )
    return { publicKeyLocation, verifier, isAccepted }
  }

  it('is read again every 30 s: a replaced key verifies nothing after that, remembered tokens included', async () => {
    const { publicKeyLocation, isAccepted } = await open(a.publicKeyPem)
    const tokens = [await a.sign(), await b.sign()] as const
    for (let times = 0; times < 2; times += 1) expect(await isAccepted(tokens[0])).toBe(true)
    await writeFile(publicKeyLocation, b.publicKeyPem)
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(HALF_A_MINUTE)
      expect([await isAccepted(tokens[0]), await isAccepted(tokens[1])]).toEqual([false, true])
    })
  })

  it('is read again for a token with an unknown kid', async () => {
    const { publicKeyLocation, isAccepted } = await open(JSON.stringify(a.jwk))
    const token = await b.sign()
    await writeFile(publicKeyLocation, JSON.stringify({ keys: [a.jwk, b.jwk] }))
    expect(await isAccepted(token)).toBe(true)
  })

  it('keeps its keys in force for an hour when it cannot be read, and says so', async () => {
    const { publicKeyLocation, verifier, isAccepted } = await open(a.publicKeyPem)
    const token = await a.sign()
    await writeFile(publicKeyLocation, 'half a key')
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(HALF_A_MINUTE)
      expect(verifier.check.check()).toMatchObject({ data: { keys: 1, error: expect.stringContaining('expected') } })
    })
    expect(await isAccepted(token)).toBe(true)
    await vi.advanceTimersByTimeAsync(2 * HOUR)
    expect(verifier.check.check()).toMatchObject({ status: 'DOWN', data: { keys: 0 } })
  })
})
