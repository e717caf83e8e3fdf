import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '@taproom/processes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectFiles } from '../src/project-files.ts'

describe('a new repository with another package manager than pnpm 12', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'taproom-create-'))
    const files = await projectFiles('wine-shop', () => '24.21.0')
    for (const path of ['package.json', 'install.mjs']) await writeFile(join(folder, path), files.get(path) ?? '')
    expect(files.get('.yarnrc.yml')).toMatch(/^yarnPath: install\.mjs$/m)
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.each([
    ['npm start', [], { npm_config_user_agent: 'npm/11.19.1 node/v20.20.2', npm_lifecycle_event: 'start' }, 'start'],
    ['pnpm 10', [], { npm_config_user_agent: 'pnpm/10.34.9 npm/?', npm_lifecycle_event: 'test' }, 'test'],
    ['yarn', [], { YARN_IGNORE_PATH: '1' }, 'install'],
    ['yarn start', ['start'], { YARN_IGNORE_PATH: '1' }, 'start'],
  ])('%s ends with the command that works', async (_case, args, env, command) => {
    await expect(run(process.execPath, ['install.mjs', ...args], { cwd: folder, env })).rejects.toMatchObject({
      exitCode: 1,
      stderr: `wine-shop needs pnpm 12: run npx -y pnpm@12 ${command}\n`,
    })
  })

  it('npm install ends with it, too', async () => {
    await expect(run('npm', ['install', '--offline', '--ignore-scripts'], { cwd: folder })).rejects.toMatchObject({
      stderr: expect.stringContaining('wine-shop needs pnpm 12: run npx -y pnpm@12 install'),
    })
  })
})
