import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openInBrowser } from '../src/console/browser.ts'

const ADDRESS = 'http://127.0.0.1:4999/#session=a-secret'

describe('openInBrowser', () => {
  let stateDir = ''
  let env: Readonly<Record<string, string>> = {}
  beforeAll(async () => {
    stateDir = await mkdtemp(join(tmpdir(), 'taproom-browser-'))
    env = { PATH: `${stateDir}${delimiter}${process.env['PATH']}`, DISPLAY: ':0', OPENED: join(stateDir, 'opened') }
  })
  afterAll(() => rm(stateDir, { recursive: true }))

  async function installOpener(code: number): Promise<void> {
    const file = join(stateDir, 'xdg-open')
    await writeFile(file, `#!/bin/sh\necho "$@" > "$OPENED"\nexit ${code}\n`)
    await chmod(file, 0o700)
  }

  it('decisions 3.115: gives the browser a page for its user alone, and has the secret on no command line', async () => {
    await installOpener(0)
    expect(await openInBrowser(ADDRESS, { env, stateDir, platform: 'linux' })).toBe(true)
    const opened = (await readFile(join(stateDir, 'opened'), 'utf8')).trim()
    expect(opened).toMatch(/^file:\/\/\S+$/)
    expect(opened).not.toContain('a-secret')
    expect(await readFile(fileURLToPath(opened), 'utf8')).toContain(`content="0;url=${ADDRESS}"`)
    expect((await stat(fileURLToPath(opened))).mode & 0o777).toBe(0o600)
  })

  it('opens it from several places at the same time', async () => {
    await installOpener(0)
    const open = () => openInBrowser(ADDRESS, { env, stateDir, platform: 'linux' })
    expect(await Promise.all([open(), open(), open()])).toEqual([true, true, true])
    expect((await readdir(stateDir)).sort()).toEqual(['console.html', 'opened', 'xdg-open'])
  })

  it('is false when no browser opens', async () => {
    await installOpener(3)
    expect(await openInBrowser(ADDRESS, { env, stateDir, platform: 'linux' })).toBe(false)
    expect(
      await openInBrowser(ADDRESS, { env: { DISPLAY: ':0', PATH: '/nowhere' }, stateDir, platform: 'linux' }),
    ).toBe(false)
  })

  it.each([
    ['linux', {}],
    ['darwin', { SSH_CONNECTION: 'a 1 b 2' }],
    ['win32', { SSH_CONNECTION: 'a 1 b 2' }],
  ] as const)('runs nothing where there is no display: %s %j', async (platform, variables) => {
    expect(await openInBrowser(ADDRESS, { env: variables, stateDir, platform })).toBe(false)
  })
})
