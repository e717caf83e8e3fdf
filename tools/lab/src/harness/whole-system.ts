import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '@taproom/processes'
import { freePort, waitFor } from '@taproom/testkit'
import { fileAt, REPOSITORY } from './apps.ts'
import { temporaryFolder } from './temporary-folder.ts'

const COMMANDS = fileURLToPath(fileAt('tools/cli/src/main.ts'))
const STOP_LIMIT_MS = 30_000

/** This repository's system as `pnpm start` runs it, with its console. */
export interface WholeSystem {
  /** Base URL of the gateway. */
  readonly gateway: string
  /** Base URL of the resource API. */
  readonly resourceApi: string
  /** Address of the console for people, with the secret. */
  readonly page: string
  /** Folder of the key whose tokens are accepted. */
  readonly keys: string
}

/** Starts it, or the system of another folder, and waits until its console answers; it ends with the stack. */
export async function startWholeSystem(
  opened: AsyncDisposableStack,
  variables: Readonly<Record<string, string>> = {},
  folder: URL = REPOSITORY,
): Promise<WholeSystem> {
  const state = await temporaryFolder(opened, 'bench-system')
  const kubePort = await freePort()
  let page: string | undefined
  let gateway: string | undefined
  const child = startNode({
    args: [...endingWithParent(COMMANDS), 'start', '--no-watch'],
    cwd: fileURLToPath(folder),
    env: {
      ...{ PORT: '0', KAFKA_PORT: '0', KUBE_PORT: String(kubePort) },
      ...{ TAPROOM_STATE_DIR: state, ...variables },
    },
    onLine(line) {
      page ??= /http:\S+\/#session=\S+/.exec(line)?.[0]
      gateway ??= /^(?:ready|up, but not ready: .*;) (http:\S+) after/.exec(line)?.[1]
    },
  })
  opened.defer(async () => {
    await child.stop(STOP_LIMIT_MS)
  })
  // The addresses are printed before the console is started, which is when all others are ready.
  const isUp = async () => page !== undefined && gateway !== undefined && (await isThere(page)) && { page, gateway }
  const addresses = await waitFor('the console', isUp)
  return { ...addresses, resourceApi: `http://127.0.0.1:${kubePort}`, keys: join(state, 'keys') }
}

async function isThere(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}
