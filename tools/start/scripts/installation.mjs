/** What has to be installed before a script runs. Runs on Node 20 and imports nothing that is installed. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What `pnpm start` runs: these workspaces with what they need; of the command itself only what starts a system. */
const OF_START = ['{./apps/*}', '@taproom/start', '@taproom/console', '@taproom/embedded-kafka', '@taproom/standins']
/** The lockfile is trusted as the code beside it is; who changes it is checked by every other installation, CI's too. */
const START_ARGUMENTS = [
  '--trust-lockfile',
  ...['--prod', '--filter', 'taproom', '--filter', '@taproom/cli'],
  ...OF_START.flatMap((name) => ['--filter-prod', `${name}...`]),
]
const STATE = 'node_modules/.pnpm-workspace-state-v1.json'
const MODULES = 'node_modules/.modules.yaml'
const SETTINGS = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.mjs']

/**
 * How to install what is missing; undefined when nothing is. What is there stays: where all was installed once, all is brought up to date,
 * also for a start.
 *
 * @param {string} root The folder of the repository
 * @param {{ forStart: boolean }} scope Whether it is for what `pnpm start` runs, without what tests and tools need
 * @returns {{ args: string[], what: string } | undefined} Arguments for pnpm, and the words for a person
 */
export function missingInstallation(root, { forStart }) {
  const state = readState(root)
  const isAll = state === undefined ? existsSync(join(root, MODULES)) : !isOfStart(state)
  const isEnough = state !== undefined && (isAll ? !state.filteredInstall : forStart)
  if (isEnough && isCurrent(root, state)) return undefined
  const what = {
    start: 'what the system runs on, its own Node among it; what tests and tools need comes with the first of them',
    all: 'everything: also what tests and tools need',
    changed: 'what is new: package.json, lockfile or settings have changed',
  }
  if (forStart && !isAll) return { args: ['install', ...START_ARGUMENTS], what: isEnough ? what.changed : what.start }
  return { args: ['install'], what: isEnough ? what.changed : what.all }
}

/** Whether the last installation was one for a start alone. */
function isOfStart({ filteredInstall, settings }) {
  return filteredInstall && !settings.dev
}

/** What pnpm wrote at the end of the last installation in this folder; undefined where none came to its end. */
function readState(root) {
  try {
    const state = JSON.parse(readFileSync(join(root, STATE), 'utf8'))
    return Object.hasOwn(state.projects, root) ? state : undefined
  } catch {
    return undefined
  }
}

/** Whether nothing that says what to install was written since then. Whether a change matters is for pnpm to find out. */
function isCurrent(root, { projects, lastValidatedTimestamp }) {
  const patches = readdirSync(join(root, 'patches')).map((name) => join('patches', name))
  const settings = [...SETTINGS, ...patches].map((name) => join(root, name))
  const manifests = Object.keys(projects).map((folder) => join(folder, 'package.json'))
  return [...settings, ...manifests].every((file) => {
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY }
    // pnpm writes the lockfile in the same millisecond at times, and knows no parts of one.
    return Math.floor(mtimeMs) <= lastValidatedTimestamp
  })
}
