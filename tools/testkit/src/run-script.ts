import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface ScriptResult {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

/** Runs a script of this repository to its end, in the folder `cwd` or that of this process. */
export function runScript(
  script: URL,
  args: readonly string[],
  { cwd }: { readonly cwd?: string } = {},
): Promise<ScriptResult> {
  return new Promise((resolve) => {
    const command = ['--conditions=development', fileURLToPath(script), ...args]
    execFile(process.execPath, command, { cwd }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    )
  })
}
