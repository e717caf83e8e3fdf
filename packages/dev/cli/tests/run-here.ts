import type { ScriptResult } from '@taproom/testkit'
import { vi } from 'vitest'
import { runCommand } from '../src/run-command.ts'

/** Runs a command line in a folder as `taproom` does, in this process, which loads each command once. */
export async function runHere(cwd: string, ...args: readonly string[]): Promise<ScriptResult> {
  const written = { stdout: '', stderr: '' }
  const spies = [
    vi.spyOn(process, 'cwd').mockReturnValue(cwd),
    ...(['stdout', 'stderr'] as const).map((stream) =>
      vi.spyOn(process[stream], 'write').mockImplementation((text) => {
        written[stream] += String(text)
        return true
      }),
    ),
  ]
  const before = process.exitCode
  process.exitCode = 0
  try {
    await runCommand(args)
    return { code: process.exitCode, ...written }
  } finally {
    process.exitCode = before
    for (const spy of spies) spy.mockRestore()
  }
}
