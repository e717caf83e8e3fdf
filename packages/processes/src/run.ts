import { type ExecFileOptions, execFile } from 'node:child_process'

/** Bytes of stdout, and of stderr, that are kept. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024
/** The last lines of a failed program's output, shown in the error's message. */
const SHOWN_LINES = 30

export interface RunOptions extends Pick<ExecFileOptions, 'cwd' | 'env' | 'shell'> {
  /** The text of the program's standard input. Default: a pipe that stays open. */
  readonly input?: string
  /** The program gets SIGTERM after this many milliseconds. Default: no limit. */
  readonly timeout?: number
}

/** A program could not be started, or ended with another exit code than 0. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'
  readonly code = 'PROGRAM_FAILED'
  /** Undefined when the program could not be started, or a signal ended it. */
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string

  constructor(command: string, args: readonly string[], cause: Error, output: { stdout: string; stderr: string }) {
    const lines = `${output.stdout}\n${output.stderr}`.trim().split('\n').slice(-SHOWN_LINES).join('\n')
    super(`${command} ${args[0] ?? ''} failed:\n${lines || cause.message}`, { cause })
    const { code } = cause as Error & { readonly code?: unknown }
    this.exitCode = typeof code === 'number' ? code : undefined
    this.stdout = output.stdout
    this.stderr = output.stderr
  }
}

/**
 * Runs a program to its end.
 *
 * @throws {ProgramError} when it could not be started, ended with another exit code than 0, or took longer than `timeout`
 * @example
 * const { stdout } = await run('git', ['status', '--short'], { cwd: folder })
 */
export function run(
  command: string,
  args: readonly string[],
  { input, ...options }: RunOptions = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { ...options, maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) => {
      if (error === null) resolve({ stdout, stderr })
      else reject(new ProgramError(command, args, error, { stdout, stderr }))
    })
    if (input === undefined) return
    // A program that ends before it has read all says by its exit code what is wrong.
    child.stdin?.on('error', () => undefined).end(input)
  })
}
