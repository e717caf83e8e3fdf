import { startNode } from '@taproom/processes'
import { freePort, waitFor } from '@taproom/testkit'
import { onCore, SERVER_CORE } from '../../harness/cores.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import type { MadeQuarkus, QuarkusService } from './made-quarkus.ts'

/** With the archive of classes that was made with the service; a heap that all of them have enough of. */
const JVM_OPTIONS = ['-XX:SharedArchiveFile=app-cds.jsa', '-Xmx512m']
/** How long a busy machine may take for a start. */
const START_MS = 60_000
const STOP_LIMIT_MS = 10_000

type Environment = Readonly<Record<string, string>>

/** Starts a service without waiting for it. */
export async function launchQuarkus(
  made: MadeQuarkus,
  service: QuarkusService,
  { env, isPinned = true }: { readonly env: Environment; readonly isPinned?: boolean },
) {
  const port = await freePort()
  // A JVM does not look whether its parent is still there.
  const program = ['setpriv', '--pdeathsig', 'KILL', made.java]
  const child = startNode({
    name: `Quarkus' ${service}`,
    command: isPinned ? onCore(SERVER_CORE, ...program) : program,
    args: [...JVM_OPTIONS, '-jar', 'quarkus-run.jar'],
    cwd: made.folderOf(service),
    env: { ...env, QUARKUS_HTTP_HOST: '127.0.0.1', QUARKUS_HTTP_PORT: String(port), QUARKUS_BANNER_ENABLED: 'false' },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  return { child, url: `http://127.0.0.1:${port}` }
}

/** Starts a service and waits until it is ready. */
export async function startQuarkus(
  made: MadeQuarkus,
  service: QuarkusService,
  env: Environment,
): Promise<ServerProcess> {
  const { child, url } = await launchQuarkus(made, service, { env })
  await waitFor(`an answer of Quarkus' ${service}`, async () => (await fetch(`${url}/q/health/ready`)).ok, {
    timeoutMs: START_MS,
  })
  return {
    url,
    pid: child.pid ?? 0,
    ask: child.ask,
    [Symbol.asyncDispose]: async () => void (await child.stop(STOP_LIMIT_MS)),
  }
}
