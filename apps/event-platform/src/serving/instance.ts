import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { readLines, visible } from '@taproom/lines'

/** One running copy of an app. */
export interface Instance {
  readonly pid: number | undefined
  /** Where it answers, once it does; rejects when it ends before that. */
  readonly ready: Promise<{ readonly url: string }>
  /** How it ended. Never rejects. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** Asks it to end and ends it by force after `graceMs`. Resolves when it has ended. */
  stop(graceMs: number): Promise<void>
}

/** What to run, and where its lines go. */
export interface InstanceOptions {
  readonly app: string
  readonly folder: string
  /** The file that runs it: TypeScript sources, compiled JavaScript, or a bundle (`.cjs`). */
  readonly main: string
  /** Beside `PORT` and `HOST`, which are given by this function. */
  readonly env: Readonly<Record<string, string>>
  readonly output: Writable
}

/**
 * Run in every instance: when the platform is gone, however it ended, its end of the instance's stdin is closed, and the
 * instance ends too. It holds nothing open by itself.
 */
const EXIT_WITH_PARENT = 'process.stdin.on("close",()=>process.exit()).resume().unref()'

/**
 * Where Node keeps what it compiled, in the app's folder: from its second start on an app is there in half the time. Entries are
 * found by the content of a file, so that a changed one is compiled anew; a folder that cannot be written to costs nothing but the time.
 */
const COMPILE_CACHE = 'node_modules/.cache/compile'

const HOST = '127.0.0.1'

/**
 * Starts an app on a free port; what it writes is passed on line by line, unchanged but for escapes of what a terminal would obey. One that
 * the system does not let start (too many open files, too large an environment) is one that has ended.
 */
export function startInstance(options: InstanceOptions): Instance {
  try {
    return start(options)
  } catch (cause) {
    const ready = Promise.reject(new Error(`${options.app} could not be started`, { cause }))
    ready.catch(() => {})
    return { pid: undefined, ready, exited: Promise.resolve({ code: null, signal: null }), stop: async () => {} }
  }
}

function start({ app, folder, main, env, output }: InstanceOptions): Instance {
  const child = spawn(
    process.execPath,
    argumentsFor(main),
    // A session of its own: Ctrl-C is the platform's to handle, which then stops its instances in order.
    {
      cwd: folder,
      env: { NODE_COMPILE_CACHE: join(folder, COMPILE_CACHE), ...env, PORT: '0', HOST },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    },
  )
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: null, signal: null }))
  })
  child.stdin.on('error', () => {
    // The instance closed its end: it is ending, which `exited` tells.
  })
  const ready = new Promise<{ url: string }>((resolve, reject) => {
    let isReady = false
    passLines(child.stdout, output, (line) => {
      const port = isReady ? undefined : readyPort(line, app)
      if (port === undefined) return
      isReady = true
      resolve({ url: `http://${HOST}:${port}` })
    })
    passLines(child.stderr, output)
    exited.then(({ code, signal }) =>
      reject(new Error(`${app} ended before it was ready (${signal ?? `exit code ${code}`})`)),
    )
  })
  // Whoever waits for readiness gets the error; nobody has to.
  ready.catch(() => {})
  return { pid: child.pid, ready, exited, stop: (graceMs) => stop(child, exited, graceMs) }
}

/** A bundle is started without Node's loader of ES modules, which alone takes as long as the rest of its start. */
function argumentsFor(main: string): readonly string[] {
  if (main.endsWith('.cjs')) return ['--eval', `${EXIT_WITH_PARENT};require(process.argv[1])`, main]
  const conditions = main.endsWith('.ts') ? ['--conditions=development'] : []
  return [...conditions, '--import', `data:text/javascript,${EXIT_WITH_PARENT}`, main]
}

function passLines(from: Readable, to: Writable, onLine?: (line: string) => void): void {
  const onShown = (line: string) => {
    to.write(`${line}\n`)
    onLine?.(line)
  }
  void readLines(from, onShown, { show: visible })
}

/** The port in the one line that says an app is ready, if this is it. */
function readyPort(line: string, app: string): number | undefined {
  if (!line.includes(`${app} ready`)) return undefined
  try {
    const entry: unknown = JSON.parse(line)
    if (typeof entry !== 'object' || entry === null || !('msg' in entry) || !('port' in entry)) return undefined
    return entry.msg === `${app} ready` && typeof entry.port === 'number' ? entry.port : undefined
  } catch {
    return undefined
  }
}

async function stop(child: ChildProcess, exited: Promise<unknown>, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  child.kill('SIGTERM')
  const deadline = AbortSignal.timeout(graceMs)
  await Promise.race([exited, once(deadline, 'abort')])
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await exited
}
