import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { runScript, waitFor } from '@taproom/testkit'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { driven } from './fixtures/driven.ts'
import { sharedSystem } from './fixtures/shared-system.ts'

const COMMANDS = new URL('../../cli/src/main.ts', import.meta.url)
const cwd = fileURLToPath(new URL('../../../', import.meta.url))

let system: ReturnType<typeof driven>
let socket: string
beforeAll(async () => {
  const shared = await sharedSystem()
  socket = shared.socket
  system = driven(shared)
})

describe('pnpm console', () => {
  it('prints the address of the console of the running system', async () => {
    vi.stubEnv('TAPROOM_STATE_DIR', dirname(socket))
    for (const display of ['DISPLAY', 'WAYLAND_DISPLAY']) vi.stubEnv(display, undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await runScript(COMMANDS, ['console'], { cwd })).toEqual({ code: 0, stdout: `${system.page}\n`, stderr: '' })
    expect(await runScript(COMMANDS, ['console', 'x'], { cwd })).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('the commands of the README', () => {
  it('do what it says', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
    const { port } = new URL(system.console.url)
    const event = {
      ...{ specversion: '1.0', id: randomUUID(), source: 'readme', type: 'greeting' },
      data: { message: 'hi' },
    }
    await system.post('/api/events', { broker: 'default/default', mode: 'binary', event })
    await waitFor('the line of the sink', async () => {
      const { body } = await system.get('/api/logs?service=aloha-sink&field=event.type=greeting')
      return body.items.length > 0
    })
    const script = blocks
      .join('')
      .replaceAll('localhost:PORT', `127.0.0.1:${port}`)
      // Until something has come.
      .replaceAll(/^curl -N .*/gm, '$& | grep -m 1 ^data:')
    const env = { ...process.env, SECRET: system.console.authorization.replace('Bearer ', '') }
    const { stdout } = await run('bash', ['--norc', '-c', script], { env }).catch((error) => error)
    expect(stdout).toMatch(/^\{"items":\[\{"id":\d+,"time":\d+,"service":"aloha-sink"/)
    expect(stdout).toMatch(/\{"stepMs":\d+,"items":\[/)
    expect(stdout).toContain('{"items":[{"topic":"priced-beer"')
    expect(stdout).toContain('data: {"items":[{"topic":"beer"')
    expect(stdout).toMatch(/"target":"embedded-kafka".*"mode":"away"/)
    expect(stdout).not.toContain('about:blank')
    await system.put('/api/faults/embedded-kafka', { mode: 'none' })
  })
})
