import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '@taproom/processes'
import { freePort, machineVariables, runScript, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { claimsOf, DEVELOPMENT, makeGuardedSystem, SYSTEM } from './guarded-system.ts'

const main = new URL('../src/main.ts', import.meta.url)
const OWN = 'https://own.example'

describe('decisions 3.120: tokens of development', () => {
  let guarded: Awaited<ReturnType<typeof makeGuardedSystem>>
  let root: string
  let keys: string
  beforeAll(async () => {
    guarded = await makeGuardedSystem()
    root = guarded.root
    keys = join(root, '.taproom/keys')
  })
  afterAll(() => guarded[Symbol.asyncDispose]())

  const taproom = (...args: readonly string[]) => runScript(main, args, { cwd: root })
  const withVariables = (variables: Readonly<Record<string, string>>) => {
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  }

  /** `taproom start`, until it is ready; gives the base URL. */
  async function start(variables: Readonly<Record<string, string>> = {}) {
    const url = `http://127.0.0.1:${await freePort()}`
    let said = ''
    const child = startNode({
      args: [...endingWithParent(fileURLToPath(main)), 'start'],
      cwd: root,
      env: { ...machineVariables(), PORT: new URL(url).port, ...variables },
      onLine: (line) => (said += `${line}\n`),
    })
    const ended = child.ended.then(() => {
      throw new Error(`it ended: ${said}`)
    })
    await Promise.race([waitFor('the start', () => /^(?:ready|up, but not ready: .*;) http/m.test(said)), ended])
    ended.catch(() => {
      // When it is stopped, that is what it is to do.
    })
    return { url, [Symbol.asyncDispose]: async () => void (await child.stop(60_000)) }
  }

  async function statusOf(url: string, token: string): Promise<number> {
    return (await fetch(`${url}/secure/claim`, { headers: { Authorization: `Bearer ${token.trim()}` } })).status
  }

  it('are of the issuer of system.ts, and start, token and contract agree on it', async () => {
    await using running = await start()
    const { stdout: token, stderr } = await taproom('token')
    expect(stderr).toBe('')
    expect(claimsOf(token)['iss']).toBe(DEVELOPMENT)
    expect(await statusOf(running.url, token)).toBe(200)
    const passed = expect.stringMatching(/^passed +claim-api +GET \/secure\/claim with a token without roles /m)
    expect(await taproom('contract')).toEqual({ code: 0, stdout: passed, stderr: '' })
    expect(await taproom('contract', '--url', running.url, '--keys', keys)).toMatchObject({ code: 0, stdout: passed })
    const other = await taproom('contract', '--url', running.url, '--keys', keys, '--issuer', OWN)
    expect(other.code).toBe(1)
    expect(other.stdout).toMatch(
      /: its token, of the issuer https:\/\/own\.example, was refused: .*invalid_token.*issuer/,
    )
  })

  it('are those of MP_JWT_VERIFY_ISSUER, where the system takes others with the same key', async () => {
    await taproom('token')
    await using running = await start({
      MP_JWT_VERIFY_PUBLICKEY_LOCATION: join(keys, 'public-key.pem'),
      MP_JWT_VERIFY_ISSUER: `https://first.example, ${OWN}`,
    })
    const { code, stdout, stderr } = await taproom('token')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      new RegExp(`^pnpm run token: .* tokens of https://first\\.example, ${OWN}, .* of ${DEVELOPMENT}: `),
    )
    const claimed = await taproom('token', '--claim', `iss="${OWN}"`)
    expect(await statusOf(running.url, claimed.stdout)).toBe(200)
    expect(claimed.stderr).toContain(`unless that is ${keys}/public-key.pem, it refuses this token`)
    withVariables({ MP_JWT_VERIFY_ISSUER: OWN })
    const named = await taproom('token')
    expect(claimsOf(named.stdout)['iss']).toBe(OWN)
    expect(await statusOf(running.url, named.stdout)).toBe(200)
    const passed = expect.stringMatching(/^passed +claim-api +GET \/secure\/claim with a token without roles /m)
    expect(await taproom('contract', '--url', running.url, '--keys', keys)).toMatchObject({ code: 0, stdout: passed })
  })

  it('may be of a foreign key, of which it is told also where only the app knows the issuer', async () => {
    const own = SYSTEM.replace('needs:', `env: () => ({ MP_JWT_VERIFY_ISSUER: '${OWN}' }), needs:`)
    await writeFile(join(root, 'system.ts'), own)
    onTestFinished(() => writeFile(join(root, 'system.ts'), SYSTEM))
    await using running = await start({ MP_JWT_VERIFY_PUBLICKEY_LOCATION: join(keys, 'public-key.pem') })
    const { stdout, stderr } = await taproom('token')
    expect(await statusOf(running.url, stdout)).toBe(401)
    expect(stderr).toMatch(/^pnpm run token: .* verifies with the key that .*, it refuses this token\n$/)
  })

  it('are not of an issuer that this shell alone has: it is to be unset', async () => {
    await using running = await start()
    expect(running.url).toMatch(/^http/)
    withVariables({ MP_JWT_VERIFY_ISSUER: OWN })
    const { code, stderr } = await taproom('token')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`of ${DEVELOPMENT}, .* of ${OWN}: unset MP_JWT_VERIFY_ISSUER, or give`)),
    })
  })
})
