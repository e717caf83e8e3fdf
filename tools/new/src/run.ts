import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A program that ended otherwise than with 0; its output is the message. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'
  readonly code = 'NEW_PROGRAM_FAILED'
}

/** Runs a program to its end. @throws {ProgramError} when it fails */
export async function run(root: string, command: string, ...args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new ProgramError(`${[command, ...args].join(' ')}: ${Buffer.concat(output).toString().trim()}`)
}
