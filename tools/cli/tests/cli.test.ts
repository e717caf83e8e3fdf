import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runScript, type ScriptResult } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { runHere } from './run-here.ts'

const main = new URL('../src/main.ts', import.meta.url)
const taproom = (cwd: string, ...args: readonly string[]): Promise<ScriptResult> => runScript(main, args, { cwd })

describe('taproom', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'taproom-cli-'))
    for (const [name, text] of Object.entries({
      other: 'export const system = 1\n',
      broken: 'export const system = \n',
      whole:
        "export const system = { name: 'whole', apps: {}, sinks: {}, standIns: {}, images: {}, keeps: [], tryIt: () => [] }\n",
    })) {
      await mkdir(join(folder, name, 'below'), { recursive: true })
      await writeFile(join(folder, name, 'package.json'), '{ "type": "module" }')
      await writeFile(join(folder, name, 'system.ts'), text)
    }
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('decisions 3.99: names its commands when it is asked for help', async () => {
    const { code, stdout, stderr } = await taproom(folder, '--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const command of [
      'start',
      'token',
      'service',
      'console',
      'explain',
      'contract',
      'new',
      'rename',
      'images',
      'generate',
    ])
      expect(stdout).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'))
  })

  it.each([
    [[], 'expected a command'],
    [['serve'], '"serve" is no command'],
    [['constructor'], '"constructor" is no command'],
  ])('answers %j with the usage and exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await runHere(folder, ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^taproom: ${message}\n\nusage: taproom`))
  })

  it.each(['start', 'token', 'service', 'console', 'explain', 'contract', 'new', 'rename', 'images', 'generate'])(
    'says how %s is used also where there is no system',
    async (command) => {
      const { code, stdout, stderr } = await runHere(folder, command, '--help')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(new RegExp(`^usage: pnpm (run )?${command}\\b`))
    },
  )

  it('decisions 3.121: has the state of a system beside its system.ts, whichever folder of it the caller is in', async () => {
    const below = join(folder, 'whole/below')
    vi.stubEnv('TAPROOM_STATE_DIR', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    const none = (state: string) => expect.stringContaining(`no system runs on ${state}: `)
    for (const command of [['service', 'list'], ['contract']])
      expect((await runHere(below, ...command)).stderr).toEqual(none(join(folder, 'whole/.taproom')))
    expect(await runHere(below, 'token')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('whole/.taproom, '),
    })
    expect(existsSync(join(folder, 'whole/.taproom/keys/public-key.pem'))).toBe(true)
    vi.stubEnv('TAPROOM_STATE_DIR', 'state')
    expect((await runHere(below, 'service', 'list')).stderr).toEqual(none(join(below, 'state')))
    expect(await readdir(below)).toEqual([])
  })

  it('keeps what Node compiles where packages are installed, unless the caller says where', async () => {
    const kept = join(folder, 'whole/node_modules/.cache/taproom-compiled')
    vi.stubEnv('NODE_COMPILE_CACHE', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    await taproom(join(folder, 'whole/below'), 'generate')
    expect(existsSync(join(folder, 'whole/node_modules'))).toBe(false)
    await mkdir(join(folder, 'whole/node_modules'))
    const own = join(folder, 'compiled')
    vi.stubEnv('NODE_COMPILE_CACHE', own)
    await taproom(join(folder, 'whole/below'), 'generate')
    expect([existsSync(own), existsSync(kept)]).toEqual([true, false])
    vi.stubEnv('NODE_COMPILE_CACHE', undefined)
    await taproom(join(folder, 'whole/below'), 'generate')
    const [version = ''] = await readdir(kept)
    expect((await readdir(join(kept, version))).length).toBeGreaterThan(50)
  })

  it('says that a folder belongs to no system', async () => {
    const { code, stderr } = await runHere(folder, 'start')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `taproom: there is no system.ts in ${folder}, nor in a folder above it\n`,
    })
  })

  it('says that a system.ts describes no system', async () => {
    const { code, stderr } = await runHere(join(folder, 'other'), 'start')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('system.ts has no system: expected') })
  })

  it('shows where a system.ts is wrong', async () => {
    const { code, stderr } = await taproom(join(folder, 'broken'), 'generate')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/broken\/system\.ts:\d/) })
  })

  it('finds the system of a folder below it', async () => {
    expect(await runHere(join(folder, 'whole/below'), 'generate')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect((await runHere(join(folder, 'whole/below'), 'start', '--help')).stdout).toContain('usage: pnpm start')
  })
})
