import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Ending, endingWithParent, startNode } from '@taproom/processes'
import { bundled, machineVariables, withProgress } from '@taproom/testkit'

/** event-platform as a process of its own. */
export interface PlatformProcess extends AsyncDisposable {
  readonly url: string
  readonly kubeUrl: string
  /** Its lines and those of its sinks, parsed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  /** Sends a signal and resolves with how the process ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Ending>
}

const APP = join(import.meta.dirname, '..')
const MAIN = new URL('../src/main.ts', import.meta.url)

/** Starts the app from its bundle and waits for its ready line. */
export async function startPlatformProcess(env: Readonly<Record<string, string>>): Promise<PlatformProcess> {
  const lines: Record<string, unknown>[] = []
  const child = startNode({
    name: 'event-platform',
    args: endingWithParent(fileURLToPath(await bundled(MAIN))),
    cwd: APP,
    env: { ...machineVariables(), PORT: '0', KUBE_PORT: '0', HOST: '127.0.0.1', ...env },
    onLine: (line, source) => source === 'stdout' && lines.push(JSON.parse(line)),
  })
  const ready = await withProgress(child.ready, 'the start of event-platform')
  return {
    url: `http://127.0.0.1:${ready.port}`,
    kubeUrl: `http://127.0.0.1:${ready['kubePort']}`,
    lines,
    end(signal) {
      child.signal(signal)
      return withProgress(child.ended, 'the end of event-platform')
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

/** The process ids of the sinks that it has started so far. */
export const instances = (platform: PlatformProcess) =>
  platform.lines.filter(({ msg }) => msg === 'sink instance running').map(({ pid }) => Number(pid))
