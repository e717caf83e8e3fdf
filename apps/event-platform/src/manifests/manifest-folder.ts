import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Log } from '@taproom/core/lines'
import { pause } from '@taproom/core/time'
import { ConfigError } from '@taproom/service'
import type { ManifestSet } from './manifest-set.ts'
import type { ManifestProblem, ParsedManifest } from './parse-manifests.ts'
import { createManifestReader } from './read-manifests.ts'

/** A file being written is empty for a moment, one being moved may be missing: neither may remove objects. */
const SETTLE_MS = 100
const POLL_MS = 1000
const SETTLE_ATTEMPTS = 5

/** All but Kustomize's own file. */
const MANIFEST_FILE = /^(?!kustomization\.ya?ml$).+\.(ya?ml|json)$/

/**
 * Applies a folder's manifests (not of subfolders, ordered by name) and checks for changes every second, because not every file system
 * reports them. Logs each problem once, then the numbers of refused files and of objects added, changed and removed.
 *
 * @throws {ConfigError} naming `MANIFESTS` when the folder cannot be read at the start; later that is logged and the old state kept
 */
export async function openManifestFolder(options: {
  readonly folder: string
  readonly set: ManifestSet
  readonly log: Pick<Log, 'info' | 'warn'>
}) {
  const { folder, set, log } = options
  const read = createManifestReader()
  const closing = new AbortController()
  let fingerprint = ''
  let problems: readonly ManifestProblem[] = []
  let logged = new Set<string>()

  const look = async () => {
    const names = (await readdir(folder)).filter((name) => MANIFEST_FILE.test(name)).sort()
    return { names, current: (await Promise.all(names.map((name) => fingerprintOf(folder, name)))).join('\n') }
  }
  /** Reads the folder once it has not changed for `settleMs`; otherwise waits for the next poll. */
  const applyIfChanged = async (settleMs: number) => {
    let seen = await look()
    if (seen.current === fingerprint) return
    let files: readonly ParsedManifest[] | undefined
    for (let attempt = 1; files === undefined && attempt <= SETTLE_ATTEMPTS; attempt += 1) {
      if (settleMs > 0) await pause(settleMs, closing.signal)
      if (closing.signal.aborted) return
      const parsed = await Promise.all(
        seen.names.map(async (name) => read(name, await readFile(join(folder, name), 'utf8'))),
      )
      const after = await look()
      if (after.current === seen.current) files = parsed
      seen = after
    }
    if (files === undefined) return
    fingerprint = seen.current
    const outcome = set.apply(files)
    problems = outcome.problems
    const texts = problems.map((problem) => JSON.stringify(problem))
    for (const [index, problem] of problems.entries()) {
      if (!logged.has(texts[index] ?? '')) log.warn(problem, 'manifest refused')
    }
    logged = new Set(texts)
    const { added, changed, removed } = outcome
    const refused = new Set(problems.map(({ file }) => file)).size
    log.info({ folder, files: files.length, refused, added, changed, removed }, 'manifests applied')
  }

  try {
    await applyIfChanged(0)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new ConfigError([`MANIFESTS=${JSON.stringify(resolve(folder))}: cannot be read (${error.code})`])
  }

  let isReadable = true
  const poll = async () => {
    try {
      await applyIfChanged(SETTLE_MS)
      isReadable = true
    } catch (err) {
      if (isReadable) log.warn({ folder, err }, 'manifests cannot be read, the old ones stay in force')
      isReadable = false
    }
    if (!closing.signal.aborted) timer = setTimeout(() => (running = poll()), POLL_MS)
  }
  let running: Promise<void> = Promise.resolve()
  let timer = setTimeout(() => (running = poll()), POLL_MS)

  return {
    /** Manifests refused at present. */
    get problems(): readonly ManifestProblem[] {
      return problems
    },
    async [Symbol.asyncDispose](): Promise<void> {
      closing.abort()
      clearTimeout(timer)
      await running
    },
  }
}

async function fingerprintOf(folder: string, name: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(join(folder, name))
  return `${name} ${mtimeMs} ${size} ${ino}`
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}
