import { describe, expect, it } from 'vitest'
import { printToken } from '../src/index.ts'
import { runHere } from './fixtures/command.ts'
import { makeSurroundings, runScript } from './fixtures/system.ts'
import { system } from './fixtures/taproom.ts'

function decode(token: string): Record<string, unknown>[] {
  return token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
}

describe('pnpm token', () => {
  it('works before the first start, with the token alone on stdout and a note that nobody uses its new keys', async () => {
    await using place = await makeSurroundings()
    const { code, stdout, stderr } = await runScript('token', place.variables, '--user', 'alice', '--groups', 'a,b')
    expect(code).toBe(0)
    expect(stderr).toBe(
      `pnpm run token: no system runs on ${place.variables['TAPROOM_STATE_DIR']}, where new keys were made: ` +
        'one that runs on another folder refuses this token (set TAPROOM_STATE_DIR)\n',
    )
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    const [header, claims] = decode(stdout)
    expect(header).toMatchObject({ alg: 'RS256', typ: 'JWT', kid: expect.any(String) })
    expect(claims).toMatchObject({
      preferred_username: 'alice',
      groups: ['a', 'b'],
      iss: expect.stringMatching(/^https:/),
    })
    expect(Number(claims?.['exp']) - Number(claims?.['iat'])).toBe(3600)
  })

  it('two first calls at the same time make one key', async () => {
    await using place = await makeSurroundings()
    const claims = ['jti="x"', 'exp=2000000000', 'iat=1', 'auth_time=1'].flatMap((claim) => ['--claim', claim])
    const runs = await Promise.all([1, 2, 3].map(() => runScript('token', place.variables, ...claims)))
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1)
  })

  it.each([
    [{ NODE_ENV: 'production' }, [], 'production mode', 1],
    [{ NODE_ENV: ' Production' }, [], 'production mode', 1],
    [{}, ['--\u001b[2J\u2028'], '--\\u001b[2J\\u2028', 2],
    [{}, ['--claim', '\u001b\u202e'], '--claim="\\u001b\\u202e": expected NAME=JSON', 2],
    [{}, ['--expires-in', 'soon'], '--expires-in="soon": expected whole seconds', 2],
    [{}, ['--nonsense'], '--nonsense', 2],
    [{}, ['extra'], 'extra', 2],
  ])('refuses with one message and its exit code: %j %j', async (variables, args, message, exitCode) => {
    await using place = await makeSurroundings()
    const { code, stdout, stderr } = await runHere({ ...place.variables, ...variables }, () =>
      printToken(args, { root: place.folder, system }),
    )
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
