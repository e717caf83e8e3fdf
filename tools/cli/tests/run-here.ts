import { runInProcess, type ScriptResult } from '@taproom/testkit'
import { vi } from 'vitest'
import { runCommand } from '../src/run-command.ts'

/** Runs a command line in a folder as `taproom` does, in this process, which loads each command once. */
export async function runHere(cwd: string, ...args: readonly string[]): Promise<ScriptResult> {
  const spy = vi.spyOn(process, 'cwd').mockReturnValue(cwd)
  try {
    return await runInProcess(() => runCommand(args))
  } finally {
    spy.mockRestore()
  }
}
