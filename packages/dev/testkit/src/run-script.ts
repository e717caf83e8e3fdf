import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface ScriptResult {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

/** Runs a script of this repository to its end. */
export function runScript(script: URL, args: readonly string[]): Promise<ScriptResult> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--conditions=development', fileURLToPath(script), ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    )
  })
}
