import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckReport } from '@taproom/health'
import { freePort, startHttpServer } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { openControl } from '../src/control/control-server.ts'
import { controlServices } from '../src/index.ts'
import { createRecentLines } from '../src/output/recent-lines.ts'
import { controlSocketPath } from '../src/state/state-folder.ts'
import { runHere } from './fixtures/command.ts'
import { makeFixtureProcess } from './fixtures/processes.ts'
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

  it('lists processes, their checks that are DOWN, sinks and the console, and names Kafka once', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'taproom-service-'))
    const kafka = `127.0.0.1:${await freePort()}`
    const conditions = (status: string, message = '') => [{ type: 'Ready', status, message }]
    const items = [
      { metadata: { namespace: 'default', name: 'hello' }, status: { conditions: conditions('True') } },
      { metadata: { namespace: 'default', name: 'bye' }, status: { conditions: conditions('False', 'no such app') } },
    ]
    await using resources = await startHttpServer((_request, response) => response.end(JSON.stringify({ items })))
    const down = (...names: readonly string[]) => names.map((name): CheckReport => ({ name, status: 'DOWN' }))
    const failing = { orders: down('Database', 'Kafka incoming channel a'), prices: down('Kafka outgoing channel b') }
    using stack = new DisposableStack()
    const processes = Object.keys(failing).map((name) => {
      const { process } = stack.use(makeFixtureProcess(name))
      return { process, description: { kind: 'app', cwd: folder.path } as const, layers: () => [] }
    })
    await Promise.all(processes.map(({ process }) => process.start()))
    await using _control = await openControl(controlSocketPath(folder.path), {
      facts: {
        ...{ name: 'Shop', url: 'http://127.0.0.1:1', healthRootPath: '/q/health', issuers: [], apps: [] },
        ...{ bootstrapServers: kafka, resourceApi: resources.url },
        console: { url: 'http://127.0.0.1:2', session: 'a-secret' },
      },
      processes,
      askFailing: async () => failing,
      logs: createRecentLines(),
      onChange: () => ({ [Symbol.dispose]: () => undefined }),
    })
    const { code, stdout } = await service({ TAPROOM_STATE_DIR: folder.path }, 'list')
    expect(code).toBe(0)
    expect(stdout.replaceAll(/\d{3,}/g, 'N').replaceAll(/ {2,}/g, '  ')).toBe(
      `service  state  pid  port  crashes  checks that are DOWN
orders  not ready  N  N  0  waits for Kafka, Database
prices  not ready  N  N  0  waits for Kafka

Kafka at ${kafka.replaceAll(/\d{3,}/g, 'N')} does not answer

sink  state  instances  why it is not ready
default/hello  asleep  0
default/bye  not ready  0  no such app

console  http://N.0.0.1:2/#session=a-secret
`,
    )
  })

  it('names the state folder and its variable when no system runs there', async () => {
    const { code, stderr } = await service({ TAPROOM_STATE_DIR: '/nowhere/state' }, 'list')
    expect(code).toBe(1)
    expect(stderr).toBe(
      'pnpm service: no system runs on /nowhere/state: start it with pnpm start, or set TAPROOM_STATE_DIR to the state folder of the one that runs\n',
    )
  })
})
