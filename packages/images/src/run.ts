import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program in a folder and gives what it wrote to stdout. @throws {Error} with the last lines it wrote when it fails */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await execute(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 })
    return stdout
  } catch (cause) {
    const { stdout = '', stderr = '', message } = cause as Error & { stdout?: string; stderr?: string }
    const lines = `${stdout}\n${stderr}`.trim().split('\n').slice(-30).join('\n')
    throw new Error(`${command} ${args.slice(0, 2).join(' ')} failed:\n${lines || message}`, { cause })
  }
}
