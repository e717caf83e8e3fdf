import { describe, expect, it } from 'vitest'
import { makeSurroundings, runScript } from './fixtures/system.ts'

function decode(token: string): Record<string, unknown>[] {
  return token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
}

describe('pnpm token', () => {
  it('works before the first start and prints the token alone', async () => {
    await using place = await makeSurroundings()
    const { code, stdout, stderr } = await runScript('token', place.variables, '--user', 'alice', '--groups', 'a,b')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
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
    const runs = await Promise.all(
      [1, 2, 3].map(() =>
        runScript('token', place.variables, '--jti', 'x', '--exp', '2000000000', '--iat', '1', '--auth-time', '1'),
      ),
    )
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1)
  })

  it.each([
    [{ NODE_ENV: 'production' }, [], 'production mode'],
    [{}, ['--expires-in', 'soon'], '--expires-in="soon": expected whole seconds'],
    [{}, ['--nonsense'], '--nonsense'],
    [{}, ['extra'], 'extra'],
  ])('refuses with one message and exit code 1: %j %j', async (variables, args, message) => {
    await using place = await makeSurroundings()
    const { code, stdout, stderr } = await runScript('token', { ...place.variables, ...variables }, ...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
