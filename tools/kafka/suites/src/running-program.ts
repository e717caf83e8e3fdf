import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'

const STOP_MS = 60_000

export interface RunningProgramOptions {
  readonly cwd: string
  /** A file to which all that it prints is added. */
  readonly log: string
}

/** A program that runs until it is killed, which disposing of it does. */
export interface RunningProgram extends AsyncDisposable {
  isRunning(): boolean
  /** In order (SIGTERM); killed after a minute. */
  stop(): Promise<void>
  /** Without a chance to tidy up (SIGKILL). */
  kill(): Promise<void>
}

/** Starts a program that does not end by itself. */
export async function startProgram(
  command: string,
  args: readonly string[],
  { cwd, log }: RunningProgramOptions,
): Promise<RunningProgram> {
  await using file = await open(log, 'a')
  await file.appendFile(`$ ${command} ${args.join(' ')}\n`)
  const child = spawn(command, args, { cwd, stdio: ['ignore', file.fd, file.fd] })
  await once(child, 'spawn')
  const kill = () => endedBy(child, 'SIGKILL')
  return {
    isRunning: () => isRunning(child),
    async stop() {
      const tooLong = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await endedBy(child, 'SIGTERM')
      clearTimeout(tooLong)
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

async function endedBy(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(child)) return
  child.kill(signal)
  await once(child, 'exit')
}
