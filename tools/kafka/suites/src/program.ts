import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { LeftOutError } from './suite.ts'

export interface ProgramOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** A folder whose programs it finds before those of this machine. */
  readonly programs?: string
  /** The standard input. Default: empty. */
  readonly input?: string
  /** A file to which the command and all that it printed are added. */
  readonly log?: string | undefined
  readonly timeoutMs: number
}

export interface ProgramResult {
  /** Null when it was ended by a signal, as it is after its time. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Bytes that are kept of a stream: a suite of some thousand tests writes a few megabytes. */
const MAX_TEXT = 256 * 1024 * 1024

/** Runs a program to its end, or for its time, whatever its exit code. @throws {LeftOutError} when it is not on this machine */
export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env, programs, input = '', log, timeoutMs }: ProgramOptions,
): Promise<ProgramResult> {
  const path = programs === undefined ? process.env['PATH'] : `${programs}:${process.env['PATH']}`
  const lines = log === undefined ? undefined : createWriteStream(log, { flags: 'a' })
  lines?.write(`$ ${command} ${args.join(' ')}\n`)
  const result = await new Promise<ProgramResult>((resolve, reject) => {
    // Unlike the option `timeout`, its timer does not hold the process where there is no such program.
    const limit = AbortSignal.timeout(timeoutMs)
    const child = spawn(command, args, {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env, PATH: path },
      signal: limit,
      killSignal: 'SIGKILL',
    })
    if (lines !== undefined) for (const stream of [child.stdout, child.stderr]) stream.pipe(lines, { end: false })
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    child.on('error', (cause) => limit.aborted || reject(new LeftOutError(`there is no ${command}`, { cause })))
    child.once('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }))
    // It may end without having read everything.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
  lines?.end()
  return result
}

/** Runs a program without which a suite cannot be. @throws {LeftOutError} when it fails */
export async function needProgram(command: string, args: readonly string[], options: ProgramOptions): Promise<string> {
  const { code, stdout, stderr } = await runProgram(command, args, options)
  if (code === 0) return stdout
  const last = `${stdout}${stderr}`.trim().split('\n').at(-1)
  throw new LeftOutError(`${command} ${args[0] ?? ''} failed: ${last}`)
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
