import type { ScriptResult } from './run-script.ts'

const STREAMS = ['stdout', 'stderr'] as const

/** Runs what a command runs in this process, where one of its own costs half a second: what it wrote, and the exit code that it set. */
export async function runInProcess(command: () => Promise<void>): Promise<ScriptResult> {
  const written = { stdout: '', stderr: '' }
  const { exitCode } = process
  const writers = STREAMS.map((name) => process[name].write)
  for (const name of STREAMS) {
    process[name].write = (text: string | Uint8Array) => {
      written[name] += String(text)
      return true
    }
  }
  process.exitCode = 0
  try {
    await command()
    return { code: process.exitCode, ...written }
  } finally {
    process.exitCode = exitCode
    for (const [index, name] of STREAMS.entries()) process[name].write = writers[index] ?? process[name].write
  }
}
