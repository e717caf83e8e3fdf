import type { Socket } from 'node:net'
import { atMost } from '@taproom/core/time'
import { type ISocketFactory, Kafka, type KafkaConfig } from '@taproom/kafkajs'
import type { KafkaSecurity } from '../security/kafka-security.ts'
import { openSocket } from '../security/open-socket.ts'
import { refusalReason } from './refusal-reason.ts'

const KEEP_ALIVE_MS = 60_000

/** A kafkajs client with its own connections. */
export interface KafkaSession {
  readonly kafkajs: Kafka
  /** Ends all requests under way, with their connections; the next request opens a new one. */
  endRequests(): void
  /**
   * Cuts all connections at once and refuses new ones. Otherwise, when Kafka does not answer, a kafkajs client that is
   * being disconnected retries for a minute, and may even join its group.
   */
  cut(): void
  /** Why TLS, SASL or Kafka's permissions let the client fail, in a sentence for a person; undefined when they did not. */
  refusal(error: unknown): string | undefined
}

/** Creates a kafkajs client whose connections can be cut. */
export function createKafkaSession(config: KafkaConfig, { tls, sasl }: KafkaSecurity = {}): KafkaSession {
  const sockets = new Set<Socket>()
  let isCut = false
  /** Of the last connection that failed, until another succeeds: kafkajs keeps no more of it than the code. */
  let connectionFailure: string | undefined
  const socketFactory: ISocketFactory = ({ host, port, onConnect }) => {
    const socket = openSocket({
      host,
      port,
      tls,
      hasSasl: sasl !== undefined,
      onConnect() {
        connectionFailure = undefined
        onConnect()
      },
      onFailure(reason) {
        connectionFailure = reason
      },
    })
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Later, because kafkajs adds its listeners after this function has returned.
    if (isCut) process.nextTick(() => destroy(socket))
    return socket
  }
  const endRequests = () => {
    for (const socket of sockets) destroy(socket)
  }
  return {
    kafkajs: new Kafka({ ...config, socketFactory }),
    endRequests,
    cut() {
      isCut = true
      endRequests()
    },
    refusal: (error) => refusalReason(error, sasl) ?? connectionFailure,
  }
}

/** Disconnects the session's client within `limitMs` milliseconds, then cuts its connections. Never rejects. */
export async function endSession(
  session: KafkaSession,
  client: { disconnect(): Promise<void> },
  limitMs = 500,
): Promise<void> {
  await atMost(client.disconnect(), limitMs)
  session.cut()
}

/** With an error, because without one kafkajs leaves its pending requests waiting. */
function destroy(socket: Socket): void {
  socket.destroy(new Error('the connection to kafka was closed'))
}
