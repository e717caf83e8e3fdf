import { fileURLToPath, pathToFileURL } from 'node:url'
import { openBundles } from '@taproom/bundles'
import { endingWithParent, FEW_ARENAS, type NodeProcess, SMALL_HEAP, startNode } from '@taproom/processes'
import { freePort } from '@taproom/testkit'
import { APPS, fileAt, KAFKA_MAIN, mainOf, REPOSITORY } from '../harness/apps.ts'
import { type ServerProcess, startServer } from '../harness/server-process.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

const ROOT = fileURLToPath(REPOSITORY)
const MEASURED = [APPS.claims, APPS.films, APPS.stream, APPS.prices, APPS.events] as const
/** Not bundled. Other packages than `pnpm start` names would remove bundles of each other's. */
const EXTERNAL = ['better-sqlite3', 'pg']

type Program = (typeof MEASURED)[number] | 'embedded-kafka'

type Environment = Readonly<Record<string, string>>

/** A service that was started, and may not answer yet. */
export interface Launched {
  readonly child: NodeProcess
  readonly url: string
}

let bundles: ReturnType<typeof makeBundles> | undefined

/** The bundle of a program, which is what `pnpm start` and images run. Made, with all others, for the first that asks. */
async function bundleOf(program: Program): Promise<URL> {
  bundles ??= makeBundles()
  return pathToFileURL((await bundles).mainOf(program))
}

async function makeBundles() {
  const apps = MEASURED.map((app) => [app, fileURLToPath(fileAt(mainOf(app)))])
  const programs = { ...Object.fromEntries(apps), 'embedded-kafka': fileURLToPath(fileAt(KAFKA_MAIN)) }
  const { signal } = new AbortController()
  const made = await openBundles({ root: ROOT, programs, external: EXTERNAL, env: {}, signal, onMaking() {} })
  if (made.problem !== undefined) throw new Error(`programs cannot be bundled: ${made.problem}`)
  return made
}

/** Starts a program from its bundle, as `pnpm start` and images do, in a process of its own on its own core. */
export async function startBundle(
  program: Program,
  options: Omit<NonNullable<Parameters<typeof startServer>[1]>, 'nodeArgs'>,
): Promise<ServerProcess> {
  return await startServer(await bundleOf(program), {
    ...options,
    nodeArgs: SMALL_HEAP,
    env: { ...FEW_ARENAS, ...options.env },
  })
}

/** Starts services from their bundles with Node's compile cache, as `pnpm start` does after its first time. */
export async function openBundled(opened: AsyncDisposableStack) {
  const cache = { NODE_COMPILE_CACHE: await temporaryFolder(opened, 'bench-bundled') }
  return async (service: Program, env: Environment): Promise<Launched> => {
    const port = await freePort()
    const child = startNode({
      name: service,
      args: [...SMALL_HEAP, ...endingWithParent(fileURLToPath(await bundleOf(service)))],
      env: {
        ...FEW_ARENAS,
        ...cache,
        ...env,
        PORT: String(port),
        HOST: '127.0.0.1',
        NODE_ENV: 'production',
        LOG_LEVEL: 'info',
      },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    return { child, url: `http://127.0.0.1:${port}` }
  }
}
