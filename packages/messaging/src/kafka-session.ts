import { connect, type Socket } from 'node:net'
import type { ISocketFactory } from 'kafkajs'
import { Kafka, type KafkaConfig } from 'kafkajs'

const KEEP_ALIVE_MS = 60_000

/** A kafkajs with connections of its own. */
export interface KafkaSession {
  readonly kafkajs: Kafka
  /**
   * Cuts every connection at once and refuses new ones. Left to itself, a kafkajs client that is being disconnected
   * waits and retries for a minute when Kafka does not answer, and may join its group after all.
   */
  cut(): void
}

/** Creates a kafkajs that can be cut off. */
export function createKafkaSession(config: KafkaConfig): KafkaSession {
  const sockets = new Set<Socket>()
  let isCut = false
  const socketFactory: ISocketFactory = ({ host, port, onConnect }) => {
    const socket = connect({ host, port }, onConnect)
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Later, because kafkajs listens to the socket only once it has it.
    if (isCut) process.nextTick(() => destroy(socket))
    return socket
  }
  return {
    kafkajs: new Kafka({ ...config, socketFactory }),
    cut() {
      isCut = true
      for (const socket of sockets) destroy(socket)
    },
  }
}

/** With an error, because kafkajs fails its pending requests on nothing less. */
function destroy(socket: Socket): void {
  socket.destroy(new Error('the kafka session is closed'))
}
