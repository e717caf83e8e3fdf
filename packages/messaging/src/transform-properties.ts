import { isDeepStrictEqual } from 'node:util'
import {
  type IncomingDefaults,
  type IncomingProperties,
  type OutgoingDefaults,
  type OutgoingProperties,
  readIncoming,
  readOutgoing,
} from './channel-properties.ts'
import type { PropertyReader } from './connection/property-reader.ts'

/** Both ends of a transform, whose connection they share. */
export interface TransformProperties {
  readonly input: IncomingProperties & { readonly groupId: string }
  readonly output: OutgoingProperties
}

/** The values of properties that are not set. */
export interface TransformDefaults {
  readonly input: Omit<IncomingDefaults, 'mode'> & { readonly groupId: string }
  readonly output: Omit<OutgoingDefaults, 'mode' | 'fixed' | 'overflow' | 'bufferSize'>
  readonly mode?: IncomingDefaults['mode']
}

/**
 * Reads the properties of both channels of a transform, as {@link readIncoming} and {@link readOutgoing} do. Those of the connection must come to
 * the same, and what a transform decides itself cannot be set: overflow.
 */
export function readTransform(read: PropertyReader, { input, output, mode }: TransformDefaults): TransformProperties {
  const shared = mode === undefined ? {} : { mode }
  const from = readIncoming(read, { from: 'earliest', ...input, ...shared })
  const to = readOutgoing(read, { ...output, ...shared, fixed: ['overflow', 'max-inflight-messages'] })
  const outgoing = `mp.messaging.outgoing.${output.channel}`
  if (from.bootstrapServers !== to.bootstrapServers) {
    read.problem(`${outgoing}.bootstrap.servers`, `must be the Kafka of the channel ${input.channel}`)
  }
  if (!isDeepStrictEqual(from.security, to.security)) {
    const rule = `must be as for the channel ${input.channel}, and so must all of sasl and ssl: both channels share their connections`
    read.problem(`${outgoing}.security.protocol`, rule)
  }
  return { input: from, output: to }
}
