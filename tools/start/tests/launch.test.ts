import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtempDisposable, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isAlive } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Launch } from '../src/supervisor/launch.ts'

/** Prepares a process at the gate, and says its pid. */
const PARENT = `import { Launch } from '${new URL('../src/supervisor/launch.ts', import.meta.url).href}'
const [main, cwd] = process.argv.slice(1)
const launch = new Launch({ name: 'till', main, cwd, env: process.env, isHeld: true, inspectPort: undefined, onLine() {} })
await launch.prepare({ sources: {}, packages: ['ticking'] })
console.log(launch.child.pid)
setInterval(() => {}, 1000)
`
const ORDER = { sources: {}, config: undefined }

describe('Launch', () => {
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
  let cwd: string
  let main: string
  const held = () =>
    new Launch({ name: 'till', main, cwd, env: process.env, isHeld: true, inspectPort: undefined, onLine: () => {} })

  beforeEach(async () => {
    folder = await mkdtempDisposable(join(tmpdir(), 'taproom-launch-'))
    cwd = await realpath(folder.path)
    main = join(cwd, 'main.mjs')
    await mkdir(join(cwd, 'node_modules/ticking'), { recursive: true })
    await writeFile(join(cwd, 'node_modules/ticking/index.js'), 'setInterval(() => {}, 1000)')
    await writeFile(main, '')
  })
  afterEach(() => folder.remove())

  it('ends at the gate when the process that started it is killed, also where a package has a timer', async () => {
    const args = ['--conditions=development', '--input-type=module', '--eval', PARENT, main, cwd]
    const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(createInterface(parent.stdout), 'line')
    expect(isAlive(Number(line))).toBe(true)
    parent.kill('SIGKILL')
    await waitFor('its end', () => !isAlive(Number(line)))
  })

  it('cannot be loaded when a module of it never ends its evaluation', async () => {
    await writeFile(main, "import './endless.mjs'")
    await writeFile(join(cwd, 'endless.mjs'), 'await new Promise(() => {})')
    await expect(held().load(ORDER)).rejects.toThrow('till exited with code 13 before it was ready')
  })

  it('has started when it began to load its sources, however often it is asked to', async () => {
    const launch = held()
    const createdAt = launch.startedAt
    await launch.prepare({ sources: {}, packages: [] })
    await launch.load(ORDER)
    const { startedAt } = launch
    await launch.load(ORDER)
    expect([startedAt > createdAt, launch.startedAt]).toEqual([true, startedAt])
    await launch.child.kill()
  })
})
