/**
 * Parts of `.ci/run` that take turns. When each was last green, and how long it took, is kept in the user's cache.
 *
 * `rotation.ts next SECONDS`: reads names, one a line, and prints those whose last green run is oldest, as many as fit into the time; at
 * least one. Parts that never were green come first, in an order that each commit changes. `rotation.ts green NAME SECONDS` keeps a run.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

interface Run {
  /** Milliseconds since 1970. */
  readonly greenAt: number
  readonly seconds: number
}

/** The guess for a part that has not been green here. */
const UNKNOWN_SECONDS = 40
const STATE = join(homedir(), '.cache/taproom/rotation.json')

const [command, ...given] = process.argv.slice(2)
const runs = readRuns()
if (command === 'next') for (const name of next(readFileSync(0, 'utf8').split('\n').filter(Boolean))) console.log(name)
else keep(given[0] ?? '', Number(given[1]))

function next(names: readonly string[]): string[] {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
  const rank = (name: string) => createHash('sha256').update(commit).update(name).digest('hex')
  const ordered = names
    .map((name) => ({ name, rank: rank(name), greenAt: 0, seconds: UNKNOWN_SECONDS, ...runs[name] }))
    .toSorted((a, b) => a.greenAt - b.greenAt || (a.rank < b.rank ? -1 : 1))
  let left = Number(given[0])
  const fitting = ordered.filter(({ seconds }, index) => {
    if (index > 0 && seconds > left) return false
    left -= seconds
    return true
  })
  return fitting.map(({ name }) => name)
}

function keep(name: string, seconds: number): void {
  mkdirSync(dirname(STATE), { recursive: true })
  const draft = `${STATE}.${process.pid}`
  writeFileSync(draft, JSON.stringify({ ...runs, [name]: { greenAt: Date.now(), seconds } }))
  renameSync(draft, STATE)
}

function readRuns(): Readonly<Record<string, Run>> {
  try {
    return JSON.parse(readFileSync(STATE, 'utf8'))
  } catch {
    return {}
  }
}
