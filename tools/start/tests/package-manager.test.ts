import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { describe, expect, it } from 'vitest'
import { packageManagerProblem } from '../scripts/package-manager.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PNPMFILE = join(ROOT, '.pnpmfile.cjs')
const read = (path: string) => readFile(join(ROOT, path), 'utf8')

describe('the package manager that installs', () => {
  it.each([
    ['npm/11.19.1 node/v20.20.2 linux x64 workspaces/false', 'npm 11.19.1'],
    ['yarn/1.22.22 npm/? node/v20.20.2 linux x64', 'yarn 1.22.22'],
    ['pnpm/9.15.9 npm/? node/v20.20.2 linux x64', 'pnpm 9.15.9'],
    ['pnpm/11.28.11 npm/? node/v24.21.0 linux x64', 'pnpm 11.28.11'],
  ])('is refused in one sentence with the command that works: %s', (agent, found) => {
    expect(packageManagerProblem({ npm_config_user_agent: agent, npm_lifecycle_event: 'test' })).toBe(
      `Taproom needs pnpm 12 and this is ${found}: run npx -y pnpm@12 test`,
    )
  })

  it.each([undefined, 'pnpm/12.21.0 npm/? node/? linux x64', 'pnpm/13.0.0 npm/? node/? linux x64'])(
    'is taken: %s',
    (agent) => expect(packageManagerProblem({ npm_config_user_agent: agent })).toBeUndefined(),
  )

  it('ends in one sentence when it is pnpm 10 or earlier, which load .pnpmfile.cjs before every command', async () => {
    const ended = run(process.execPath, [PNPMFILE, 'install', '--frozen-lockfile'])
    await expect(ended).rejects.toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: 'Taproom needs pnpm 12: run npx -y pnpm@12 install --frozen-lockfile\n',
    })
  })

  it('ends in the same sentence when it is yarn, which runs .pnpmfile.cjs in place of itself', async () => {
    expect(await read('.yarnrc.yml')).toMatch(/^yarnPath: \.pnpmfile\.cjs$/m)
    const stderr = 'Taproom needs pnpm 12: run npx -y pnpm@12 install\n'
    await expect(run(process.execPath, [PNPMFILE])).rejects.toMatchObject({ exitCode: 1, stderr })
  })

  it('ends with the command that works when npm installs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'taproom-npm-'))
    try {
      await cp(join(ROOT, 'package.json'), join(folder, 'package.json'))
      const installed = run('npm', ['install', '--offline', '--ignore-scripts'], { cwd: folder })
      await expect(installed).rejects.toMatchObject({
        stderr: expect.stringContaining('Taproom needs pnpm 12: run npx -y pnpm@12 install'),
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('is named by an exact version: corepack ends at a range before anything of ours runs', async () => {
    const { devEngines } = JSON.parse(await read('package.json'))
    // With any other `onFail` pnpm itself may switch to that version, and npm refuses `npx -y pnpm@12`.
    expect(devEngines.packageManager).toEqual({
      name: 'pnpm',
      version: expect.stringMatching(/^12\.\d+\.\d+$/),
      onFail: 'ignore',
    })
  })

  it('gets the same runtime by the catalog that npm names as by the other', async () => {
    const versions = [...(await read('pnpm-workspace.yaml')).matchAll(/^ +node: (\d\S+)$/gm)].map(
      ([, version]) => version,
    )
    expect(versions).toHaveLength(2)
    expect(versions[1]).toBe(versions[0])
  })
})
