import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** A program could not be started, or ended with another exit code than 0. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'
}

/** Runs a program in a folder and gives its stdout. @throws {ProgramError} when it fails, with the last lines that it wrote */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await execute(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 })
    return stdout
  } catch (cause) {
    const { stdout = '', stderr = '', message } = cause as Error & { stdout?: string; stderr?: string }
    const lines = `${stdout}\n${stderr}`.trim().split('\n').slice(-30).join('\n')
    throw new ProgramError(`${command} ${args[0] ?? ''} failed:\n${lines || message}`, { cause })
  }
}
