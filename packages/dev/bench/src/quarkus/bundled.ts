import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBundles } from '@taproom/bundles'
import { endingWithParent, type NodeProcess, startNode } from '@taproom/processes'
import { freePort } from '@taproom/testkit'

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))
const SERVICES = ['claim-api', 'movie-api', 'beer-stream'] as const
/** Not bundled. Other packages than `pnpm start` names would remove bundles of each other's. */
const EXTERNAL = ['better-sqlite3', 'pg']

type Environment = Readonly<Record<string, string>>

/** A service that was started, and may not answer yet. */
export interface Launched {
  readonly child: NodeProcess
  readonly url: string
}

/** Starts services from their bundles with Node's compile cache, as `pnpm start` does after its first time. */
export async function openBundled(opened: AsyncDisposableStack) {
  const programs = Object.fromEntries(SERVICES.map((name) => [name, join(ROOT, 'apps', name, 'src/main.ts')]))
  const { signal } = new AbortController()
  const bundles = await openBundles({ root: ROOT, programs, external: EXTERNAL, env: {}, signal, onMaking() {} })
  if (bundles.problem !== undefined) throw new Error(`services cannot be bundled: ${bundles.problem}`)
  const cache = { NODE_COMPILE_CACHE: opened.use(await mkdtempDisposable(join(tmpdir(), 'bench-bundled-'))).path }
  return async (service: (typeof SERVICES)[number], env: Environment): Promise<Launched> => {
    const port = await freePort()
    const child = startNode({
      name: service,
      args: endingWithParent(bundles.mainOf(service)),
      env: { ...cache, ...env, PORT: String(port), HOST: '127.0.0.1', NODE_ENV: 'production', LOG_LEVEL: 'info' },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    return { child, url: `http://127.0.0.1:${port}` }
  }
}
