import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '@taproom/processes'

export interface BrokerProcess extends AsyncDisposable {
  readonly bootstrapServers: string
  readonly port: number
  /** By the names of the listeners, where there are several. */
  readonly ports: unknown
  /** Sends a signal and gives the exit code, null when it was the signal that ended it. */
  kill(signal: NodeJS.Signals): Promise<number | null>
}

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Starts the broker's command, or a `program` that says as it does when it is ready. */
export async function startBrokerProcess(
  options: { dataDir?: string; port?: number; program?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<BrokerProcess> {
  const child = startNode({
    name: 'embedded-kafka',
    args: endingWithParent(options.program ?? MAIN),
    env: {
      ...process.env,
      ...(options.env ?? { KAFKA_PORT: String(options.port ?? 0) }),
      KAFKA_DATA_DIR: options.dataDir ?? '',
      NODE_OPTIONS: '',
    },
    stderr: 'inherit',
  })
  const { port, ports, bootstrapServers } = await child.ready
  return {
    bootstrapServers: typeof bootstrapServers === 'string' ? bootstrapServers : `127.0.0.1:${port}`,
    port,
    ports,
    async kill(signal) {
      child.signal(signal)
      return (await child.ended).code
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
