import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { CheckReport } from '@taproom/health'
import type { Failing } from '../control/control-answers.ts'

const CONNECT_MS = 1000

/** Check of the event platform: a broker is a topic. */
const EVENT_BROKERS = 'Event brokers'

/** True for the check of a Kafka channel, whatever its direction, and that of brokers. */
export function isOfKafka({ name }: Pick<CheckReport, 'name'>): boolean {
  return name.startsWith('Kafka ') || name === EVENT_BROKERS
}

/** Checks that are DOWN by a cause of their own, and Kafka when it is the cause of the others. */
export interface Down {
  /** Checks by service, without those that wait for Kafka. */
  readonly failing: Failing
  /** `Kafka at HOST:PORT does not answer`; undefined while it takes connections, and where no check waits for it. */
  readonly kafka: string | undefined
}

/** Finds out whether checks of Kafka channels are DOWN because none of Kafka's addresses takes a connection within a second. */
export async function explainDown(failing: Failing, bootstrapServers: string | undefined): Promise<Down> {
  const isWaiting = Object.values(failing).some((checks) => checks.some(isOfKafka))
  if (!isWaiting || bootstrapServers === undefined || (await takesConnections(bootstrapServers))) {
    return { failing, kafka: undefined }
  }
  const others = Object.entries(failing).map(
    ([name, checks]) => [name, checks.filter((check) => !isOfKafka(check))] as const,
  )
  return {
    failing: Object.fromEntries(others.filter(([, checks]) => checks.length > 0)),
    kafka: `Kafka at ${bootstrapServers} does not answer`,
  }
}

async function takesConnections(bootstrapServers: string): Promise<boolean> {
  const answers = await Promise.all(bootstrapServers.split(',').map((server) => takesConnection(server.trim())))
  return answers.includes(true)
}

async function takesConnection(server: string): Promise<boolean> {
  const [, host = server, port = '9092'] = /^\[?(.*?)\]?:(\d+)$/.exec(server) ?? []
  let socket: Socket | undefined
  try {
    socket = connect({ host, port: Number(port), signal: AbortSignal.timeout(CONNECT_MS) })
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket?.destroy()
  }
}
