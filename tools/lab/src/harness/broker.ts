import { createKafka, type KafkaClient } from '@taproom/messaging'
import { run } from '@taproom/processes'
import { fileAt, KAFKA_MAIN } from './apps.ts'
import type { Victim } from './kill-loop.ts'
import { quietLog } from './quiet-log.ts'
import { makeService } from './service.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface Broker extends AsyncDisposable {
  readonly name: string
  readonly bootstrapServers: string
  readonly kafka: KafkaClient
  /** Takes it away and brings it back; undefined: it is left alone. */
  readonly power?: Power
}

export interface Power extends Victim {
  /** How often it ended without being killed by the run. */
  readonly failures: readonly string[]
}

/** A Kafka that runs already. */
export interface ExternalKafka {
  readonly bootstrapServers: string
  /** Shell commands; both or none. */
  readonly killCommand?: string
  readonly startCommand?: string
}

/** Starts the embedded broker as a process with its own data folder, which is removed in the end. */
export async function startEmbeddedBroker(): Promise<Broker & { readonly power: Power }> {
  await using opened = new AsyncDisposableStack()
  const path = await temporaryFolder(opened, 'taproom-chaos')
  const service = opened.use(
    await makeService({
      name: 'kafka',
      main: fileAt(KAFKA_MAIN),
      env: (port) => ({
        KAFKA_PORT: String(port),
        KAFKA_DATA_DIR: path,
        KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
      }),
    }),
  )
  service.start()
  await service.ready()
  const resources = opened.move()
  return {
    name: 'embedded Kafka',
    ...clientOf(new URL(service.url).host),
    power: service,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Uses a Kafka that runs already; commands kill and start it, if given. */
export function useExternalKafka({ bootstrapServers, killCommand, startCommand }: ExternalKafka): Broker {
  const name = `Kafka at ${bootstrapServers}`
  const rest = { name, ...clientOf(bootstrapServers), [Symbol.asyncDispose]: () => Promise.resolve() }
  if (killCommand === undefined || startCommand === undefined) return rest
  return { ...rest, power: commandPower(killCommand, startCommand) }
}

function clientOf(bootstrapServers: string) {
  return { bootstrapServers, kafka: createKafka({ clientId: 'chaos', bootstrapServers, log: quietLog }) }
}

function commandPower(killCommand: string, startCommand: string): Power {
  const runInShell = (command: string) => run(command, [], { shell: true })
  let isRunning = true
  return {
    name: 'kafka',
    get isRunning() {
      return isRunning
    },
    failures: [],
    async kill() {
      isRunning = false
      await runInShell(killCommand)
    },
    async start() {
      if (isRunning) return
      await runInShell(startCommand)
      isRunning = true
    },
  }
}
