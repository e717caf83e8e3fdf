import { setTimeout as delay } from 'node:timers/promises'
import { run } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { REPOSITORY } from './apps.ts'

const ENDING = { timeoutMs: 120_000, intervalMs: 500 }

/** A webhook that is asked before something changes, and on a busy node may not be ready: nothing was changed. */
const NOT_ASKED = /failed calling webhook/
const MOST_TRIES = 30
const AGAIN_MS = 1000

/** Runs a program with `input` as its standard input, and gives what it prints. */
async function runIn(
  cwd: string | URL,
  [program, ...args]: readonly [string, ...string[]],
  input = '',
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await run(program, args, { cwd, input })).stdout
    } catch (error) {
      if (tries === MOST_TRIES || !NOT_ASKED.test(String(error))) throw error
      await delay(AGAIN_MS)
    }
  }
}

/** Runs `kubectl` with `input` as its standard input, and gives what it prints. */
export const kubectl = (args: readonly string[], input?: string) => runIn(REPOSITORY, ['kubectl', ...args], input)

/** The same in the namespace of the system. */
export const inTaproom = (...args: string[]) => kubectl(['-n', 'taproom', ...args])

/** Waits until all pods of deployments are new and ready, and those before have ended. */
export async function rolledOut(...names: string[]): Promise<void> {
  const ending = 'jsonpath={.items[?(@.metadata.deletionTimestamp)].metadata.name}'
  for (const name of names) {
    await inTaproom('rollout', 'status', `deployment/${name}`, '--timeout=300s')
    const pods = ['get', 'pods', '--selector', `app.kubernetes.io/name=${name}`, '-o', ending]
    await waitFor(`the pods of ${name} before to end`, async () => (await inTaproom(...pods)) === '', ENDING)
  }
}

/** Runs a line of a page as a reader of it would, in the repository's folder or another. */
export const shell = (line: string, cwd: string | URL = REPOSITORY) => runIn(cwd, ['bash', '--norc', '-c', line])

/** Address of the Gateway, as the base URL. */
export async function gatewayUrl(): Promise<string> {
  const path = 'jsonpath={.status.addresses[0].value}'
  return `http://${await kubectl(['-n', 'taproom', 'get', 'gateway', 'taproom', '-o', path])}`
}

/** Names of the pods with a label, those that are going included. */
export async function podsOf(namespace: string, label: string): Promise<readonly string[]> {
  const names = await kubectl(['-n', namespace, 'get', 'pods', '-l', label, '-o', 'jsonpath={.items[*].metadata.name}'])
  return names.split(' ').filter((name) => name !== '')
}
