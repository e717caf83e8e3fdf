import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '@taproom/processes'
import { freePort, waitFor } from '@taproom/testkit'

const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url))
const COMMANDS = join(REPOSITORY, 'tools/cli/src/main.ts')
const STOP_LIMIT_MS = 30_000

/** Runs the system as `pnpm start` does, and gives the address of its console, with the secret. */
export async function startSystem(
  opened: AsyncDisposableStack,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const state = opened.use(await mkdtempDisposable(join(tmpdir(), 'bench-console-'))).path
  let page: string | undefined
  const child = startNode({
    args: [...endingWithParent(COMMANDS), 'start', '--no-watch'],
    cwd: REPOSITORY,
    env: {
      ...{ PORT: '0', KAFKA_PORT: '0', KUBE_PORT: String(await freePort()) },
      ...{ TAPROOM_STATE_DIR: state, ...variables },
    },
    onLine(line) {
      page ??= /http:\S+\/#session=\S+/.exec(line)?.[0]
    },
  })
  opened.defer(async () => {
    await child.stop(STOP_LIMIT_MS)
  })
  // It is told before the console is started, which is when all others are ready.
  return await waitFor('the console', async () => page !== undefined && (await isThere(page)) && page)
}

async function isThere(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}
