import type { ScriptResult } from './run-script.ts'

/** Runs a command in this process, because a process of its own costs half a second. Gives what it writes and the exit code that it sets. */
export async function runInProcess(command: () => Promise<void>): Promise<ScriptResult> {
  // Not above: configurations and global set-ups, where Vitest cannot be loaded, load this package, too.
  const { vi } = await import('vitest')
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text)
      return true
    }),
  )
  const { exitCode } = process
  process.exitCode = 0
  try {
    await command()
    return { code: process.exitCode, ...written }
  } finally {
    process.exitCode = exitCode
    for (const spy of spies) spy.mockRestore()
  }
}
