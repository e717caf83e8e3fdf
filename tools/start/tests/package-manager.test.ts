import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { describe, expect, it } from 'vitest'
import { packageManagerProblem } from '../scripts/package-manager.mjs'

const PNPMFILE = fileURLToPath(new URL('../../../.pnpmfile.cjs', import.meta.url))

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
})
