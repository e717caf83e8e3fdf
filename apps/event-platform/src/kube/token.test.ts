import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openToken, TokenFileError } from './token.ts'

describe('openToken', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'token-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('makes a token that its owner alone may read, and finds it again', async () => {
    const path = join(folder, 'state', 'kube-token')
    const token = await openToken(path)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(readFileSync(path, 'utf8')).toBe(`${token}\n`)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700)
    expect(await openToken(path)).toBe(token)
    expect(await openToken(join(folder, 'other'))).not.toBe(token)
  })

  it('makes a token where a start that was killed left half of one', async () => {
    const path = join(folder, 'kube-token')
    writeFileSync(`${path}.new`, 'half')
    const token = await openToken(path)
    expect(readFileSync(path, 'utf8')).toBe(`${token}\n`)
    expect(readdirSync(folder)).toEqual(['kube-token'])
  })

  it.each(['', ' \n', 'short', 'x'.repeat(31), `${'x'.repeat(40)} y`, `${'x'.repeat(40)}\ny`, 'é'.repeat(40)])(
    'refuses a file that holds %j',
    async (text) => {
      writeFileSync(join(folder, 'token'), text)
      await expect(openToken(join(folder, 'token'))).rejects.toBeInstanceOf(TokenFileError)
    },
  )

  it('refuses what it cannot read, and has no token without a file', async () => {
    await expect(openToken(folder)).rejects.toThrow(/KUBE_TOKEN_FILE/)
    expect(await openToken(undefined)).toBeUndefined()
  })
})
