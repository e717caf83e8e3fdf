/**
 * `node install.mjs [--for-start]`: has pnpm install what is missing. For a start, what only tests and tools need is left out until it is
 * there. Only pnpm 12 and later can: another package manager ends with the command that works, yarn by `.yarnrc.yml`. Runs on Node 20 and
 * imports nothing that is installed.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = import.meta.dirname

const PNPM_MAJOR = 12

refuseOthers(process.env)
const settings = installedSettings()
const isForStart = process.argv.includes('--for-start') && !settings?.dev
const isMissing = settings === undefined || (!isForStart && !settings.dev)
if (isMissing) process.stderr.write(`installing ${isForStart ? 'what the system runs on' : 'everything'}\n`)
const args = ['install', ...(isForStart ? ['--prod'] : []), ...(isMissing ? [] : ['--silent'])]
// A program may read what the script prints: `$(pnpm --silent run token)`.
const { status, error } = spawnSync('pnpm', args, {
  cwd: ROOT,
  stdio: ['ignore', process.stderr, 'inherit'],
  shell: process.platform === 'win32',
})
if (error) process.stderr.write(`Cannot run pnpm: ${error.message}. Run this script with npx -y pnpm@12\n`)
process.exitCode = status ?? 1

/** The settings of the last installation in this folder; undefined where none came to its end. */
function installedSettings() {
  try {
    const state = JSON.parse(readFileSync(join(ROOT, 'node_modules/.pnpm-workspace-state-v1.json'), 'utf8'))
    return Object.hasOwn(state.projects, ROOT) ? state.settings : undefined
  } catch {
    return undefined
  }
}

/** pnpm and npm say who runs a script; yarn sets its own variable when it runs this file in place of itself. */
function refuseOthers({ npm_config_user_agent: agent, npm_lifecycle_event: script, YARN_IGNORE_PATH: isYarn }) {
  const [, name, major] = /^([\w-]+)\/(\d+)/.exec(agent) ?? []
  if (name === 'pnpm' ? Number(major) >= PNPM_MAJOR : name === undefined && !isYarn) return
  const command = script ?? (process.argv.slice(2).join(' ') || 'install')
  process.stderr.write(`template-app needs pnpm ${PNPM_MAJOR}: run npx -y pnpm@${PNPM_MAJOR} ${command}\n`)
  process.exit(1)
}
