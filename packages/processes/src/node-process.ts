import { type ChildProcess, spawn } from 'node:child_process'
import { type LineSplitterOptions, readLines } from '@taproom/core/lines'
import { atMost } from '@taproom/core/time'
import { type Ending, ProcessEndedError } from './ending.ts'
import { failureReason } from './failure-reason.ts'
import { parseReadyLine, type ReadyLine } from './ready-line.ts'

/** A running Node process, the leader of a group of its own; disposing of it kills it. */
export interface NodeProcess extends AsyncDisposable {
  readonly pid: number | undefined
  /** Its ready line; rejects with a ProcessEndedError when it ends before. May be left unawaited. */
  readonly ready: Promise<ReadyLine>
  /** How it ended, once all its output has been read. Never rejects. */
  readonly ended: Promise<Ending>
  /** Sends a signal to it alone. */
  signal(name: NodeJS.Signals): void
  /** Sends SIGTERM, once, because many programs exit at once on a second one; kills it after `graceMs`. */
  stop(graceMs: number): Promise<Ending>
  /** Kills it and everything it started (SIGKILL). */
  kill(): Promise<Ending>
  /**
   * Sends a message over its channel and resolves with the next one it sends.
   * @throws {ProcessEndedError} when it ends before it has answered
   */
  ask<T>(message: object): Promise<T>
}

type Output = 'lines' | 'inherit' | 'ignore'

export interface NodeProcessOptions {
  /** Options of Node, then the file to run and its arguments; see {@link endingWithParent}. */
  readonly args: readonly string[]
  readonly cwd?: string
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The name in its ready line, `<name> ready`. Default: any ready line counts. */
  readonly name?: string
  readonly onLine?: (line: string, source: 'stdout' | 'stderr') => void
  readonly lines?: LineSplitterOptions
  /** Default `lines`. */
  readonly stdout?: Output
  /** Default `lines`. */
  readonly stderr?: Output
  /** Opens the channel for {@link NodeProcess.ask}. Default false. */
  readonly hasChannel?: boolean
  /** The command that gets Node's arguments, such as `taskset` for one core. Default: this Node. */
  readonly command?: readonly string[]
}

/** How long the output of an ended process is still read, in ms: a process that left its group may hold it open. */
const OUTPUT_END_MS = 200

/** Most stderr lines that are kept of a process, for the reason why it ended. */
const MAX_SAID = 40
/** Characters of each. */
const MAX_SAID_LENGTH = 2000

/**
 * Starts a Node process in a process group of its own: Ctrl-C in the terminal does not reach it, and everything it starts can be killed with
 * it. Its stdin stays open as long as this process lives. A process that cannot be started (too many open files, environment too large) counts
 * as ended.
 */
export function startNode(options: NodeProcessOptions): NodeProcess {
  const { name, onLine, lines } = options
  const child = spawned(options)
  const ready = Promise.withResolvers<ReadyLine>()
  ready.promise.catch(() => {
    // May be left unawaited.
  })
  let isReady = false
  const said: string[] = []

  function read(source: 'stdout' | 'stderr'): Promise<void> | undefined {
    if (child instanceof Error || !child[source]) return undefined
    const onText = (line: string) => {
      onLine?.(line, source)
      if (source === 'stderr') keep(line)
      else if (!isReady) lookForReady(line)
    }
    return readLines(child[source], onText, lines)
  }

  function keep(line: string): void {
    said.push(line.slice(0, MAX_SAID_LENGTH))
    if (said.length > MAX_SAID) said.shift()
  }

  function lookForReady(line: string): void {
    const found = parseReadyLine(line, name)
    if (found === undefined) return
    isReady = true
    ready.resolve(found)
  }

  async function end(): Promise<Ending> {
    const output = Promise.all([read('stdout'), read('stderr')])
    const ending = await endingOf(child)
    killGroup(child)
    await atMost(output, OUTPUT_END_MS)
    ready.reject(new ProcessEndedError(name ?? 'the process', ending, said))
    const reason = ending.code === 0 ? undefined : failureReason(said)
    return { ...ending, ...(reason !== undefined && { reason }) }
  }

  const ended = end()
  return { ...controls(child, name, ended), ready: ready.promise, ended }
}

function controls(
  child: ChildProcess | Error,
  name: string | undefined,
  ended: Promise<Ending>,
): Omit<NodeProcess, 'ready' | 'ended'> {
  const running = () =>
    child instanceof Error || child.exitCode !== null || child.signalCode !== null ? undefined : child
  let isAsked = false

  async function kill(): Promise<Ending> {
    if (running()) killGroup(child)
    return await ended
  }

  return {
    pid: child instanceof Error ? undefined : child.pid,
    signal: (signal) => void running()?.kill(signal),
    async stop(graceMs) {
      if (!isAsked) running()?.kill('SIGTERM')
      isAsked = true
      return (await atMost(ended, graceMs)) ?? (await kill())
    },
    kill,
    async ask<T>(message: object) {
      const answer = Promise.withResolvers<T>()
      void ended.then((ending) => answer.reject(new ProcessEndedError(name ?? 'the process', ending)))
      const asked = running()
      asked?.once('message', (value) => answer.resolve(value as T))
      asked?.send(message)
      return await answer.promise
    },
    [Symbol.asyncDispose]: async () => void (await kill()),
  }
}

function spawned(options: NodeProcessOptions): ChildProcess | Error {
  const { args, cwd, env, stdout = 'lines', stderr = 'lines', hasChannel, command = [process.execPath] } = options
  const output = [stdout, stderr].map((kind) => (kind === 'lines' ? 'pipe' : kind))
  const [file = process.execPath, ...before] = command
  try {
    const child = spawn(file, [...before, ...args], {
      ...(cwd !== undefined && { cwd }),
      env: env as NodeJS.ProcessEnv,
      stdio: ['pipe', ...output, ...(hasChannel ? (['ipc'] as const) : [])],
      detached: true,
    })
    for (const emitter of [child, child.stdin]) {
      emitter?.on('error', () => {
        // Not started, or already gone: `ended` says which.
      })
    }
    return child
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function endingOf(child: ChildProcess | Error): Promise<Ending> {
  return new Promise((resolve) => {
    const neverStarted = (problem: Error) => resolve({ code: null, signal: null, problem })
    if (child instanceof Error) return neverStarted(child)
    child.on('error', (error) => child.pid === undefined && neverStarted(error))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}

function killGroup(child: ChildProcess | Error): void {
  if (child instanceof Error || child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group is already empty.
  }
}
