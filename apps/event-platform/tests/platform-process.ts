import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { readLines } from '@taproom/lines'
import { waitFor } from '@taproom/testkit'

/** event-platform as a process of its own. */
export interface PlatformProcess extends AsyncDisposable {
  readonly url: string
  readonly kubeUrl: string
  /** Its lines and those of its sinks, parsed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  /** Sends a signal and resolves with how the process ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ code: number | null; signal: string | null }>
}

const APP = fileURLToPath(new URL('..', import.meta.url))

/** Starts the app from its sources and waits for its ready line. */
export async function startPlatformProcess(env: Readonly<Record<string, string>>): Promise<PlatformProcess> {
  const child = spawn(process.execPath, ['--conditions=development', 'src/main.ts'], {
    cwd: APP,
    env: { PATH: process.env['PATH'], PORT: '0', KUBE_PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const problems: string[] = []
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk.toString()))
  const lines: Record<string, unknown>[] = []
  void readLines(child.stdout, (line) => lines.push(JSON.parse(line)))
  const ready = await waitFor('the platform is ready or has ended', () => {
    if (child.exitCode !== null) return { exitCode: child.exitCode }
    return lines.find(({ msg }) => msg === 'event-platform ready')
  })
  if (child.exitCode !== null) throw new Error(`event-platform ended with code ${child.exitCode}: ${problems.join('')}`)
  const end = (signal: 'SIGTERM' | 'SIGKILL') => endProcess(child, signal)
  return {
    url: `http://127.0.0.1:${ready['port']}`,
    kubeUrl: `http://127.0.0.1:${ready['kubePort']}`,
    lines,
    end,
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  }
}

async function endProcess(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL') {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return { code: child.exitCode, signal: child.signalCode }
}

/** Whether a process of this machine still runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
