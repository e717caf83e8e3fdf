import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'

export interface RunningProgramOptions {
  readonly cwd: string
  /** A file to which all that it prints is added. */
  readonly log: string
}

/** A program that runs until it is killed, which disposing of it does. */
export interface RunningProgram extends AsyncDisposable {
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
  const kill = () => killed(child)
  return { kill, [Symbol.asyncDispose]: kill }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
