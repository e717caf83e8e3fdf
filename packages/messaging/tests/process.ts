import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { readLines } from '@taproom/lines'

/** A program of this folder in a process of its own, to be killed. */
export interface TestProcess extends AsyncDisposable {
  /** What it printed so far. */
  readonly lines: readonly string[]
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
}

/** Starts `tests/<program>.ts` with its arguments as environment variables. */
export function startProcess(program: string, env: Readonly<Record<string, string>>): TestProcess {
  const path = fileURLToPath(new URL(`./${program}.ts`, import.meta.url))
  const child: ChildProcess = spawn(process.execPath, ['--conditions=development', path], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'close')
  const lines: string[] = []
  if (child.stdout !== null) void readLines(child.stdout, (line) => lines.push(line))
  async function kill(): Promise<void> {
    child.kill('SIGKILL')
    await gone
  }
  return { lines, kill, [Symbol.asyncDispose]: kill }
}
