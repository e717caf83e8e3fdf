import { describe, expect, it } from 'vitest'
import { controlServices } from '../src/index.ts'
import { runHere } from './fixtures/command.ts'
import type { Variables } from './fixtures/system.ts'

const service = (variables: Variables, ...args: readonly string[]) =>
  runHere(variables, () => controlServices(args, '/nowhere'))

describe('pnpm service', () => {
  it('describes every verb when it is asked for help', async () => {
    const { code, stdout, stderr } = await service({}, '--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const verb of ['list', 'stop', 'start', 'restart']) expect(stdout).toMatch(new RegExp(`^ {2}${verb} `, 'm'))
  })

  it.each([[], ['list', 'movie-api'], ['burn', 'movie-api']])(
    'answers a wrong command line with the usage and exit code 2: %j %j',
    async (...args) => {
      const { code, stdout, stderr } = await service({}, ...args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^usage: pnpm service list/)
    },
  )

  it('names the state folder and its variable when no system runs there', async () => {
    const { code, stderr } = await service({ TAPROOM_STATE_DIR: '/nowhere/state' }, 'list')
    expect(code).toBe(1)
    expect(stderr).toBe(
      'pnpm service: no system runs on /nowhere/state: start it with pnpm start, or set TAPROOM_STATE_DIR to the state folder of the one that runs\n',
    )
  })
})
