import { spawn } from 'node:child_process'

export interface ProgramOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

export interface ProgramResult {
  /** Null when it was ended by a signal, as it is after its time. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A program is missing, so that what needs it is left out. */
export class MissingProgramError extends Error {
  override readonly name = 'MissingProgramError'
}

/** What is kept of a stream: a suite of some thousand tests writes a few megabytes. */
const MAX_TEXT = 256 * 1024 * 1024

/** Runs a program to its end, or for its time, whatever its exit code. @throws {MissingProgramError} */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs }: ProgramOptions,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    })
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    child.once('error', (cause) => reject(new MissingProgramError(`${command} cannot be started`, { cause })))
    child.once('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }))
  })
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = []
  let bytes = 0
  stream.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes <= MAX_TEXT) parts.push(part)
  })
  return () => Buffer.concat(parts).toString()
}
