import { connect } from 'node:net'
import { listenersOf } from './embedded-kafka.ts'
import type { EmbeddedKafkaOptions } from './embedded-kafka-options.ts'

/** ApiVersions, version 0: only a broker answers it. */
const API_VERSIONS = Buffer.from('0000000a0012000000000001ffff', 'hex')
const TIMEOUT_MS = 3000

/**
 * Resolves when the first listener of a broker with these options answers. With TLS a connection is enough.
 * Rejects with Error when it does not within three seconds.
 */
export async function checkHealth(options: EmbeddedKafkaOptions): Promise<void> {
  const listener = listenersOf(options, 1).plans[0]?.[0]
  const host = listener?.host?.replace(/^(0\.0\.0\.0|::)$/, 'localhost') ?? 'localhost'
  const socket = connect({ host, port: listener?.port ?? 0 })
  try {
    await new Promise<void>((resolve, reject) => {
      const event = listener?.security.tls === undefined ? 'data' : 'connect'
      socket.once(event, () => resolve()).once('error', reject)
      socket.once('close', () => reject(new Error('the connection was closed without an answer')))
      socket.setTimeout(TIMEOUT_MS, () => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)))
      if (event === 'data') socket.write(API_VERSIONS)
    })
  } finally {
    socket.destroy()
  }
}
