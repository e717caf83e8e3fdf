import { parseBootstrapServers } from './kafka.ts'
import { checkName } from './option-rules.ts'

/** Reads a property by its MicroProfile name; what is wrong is told by whoever reads. */
export interface PropertyReader {
  custom<T>(
    name: string,
    options: { readonly expected: string; readonly parse: (text: string) => T; readonly default?: string },
  ): T
}

/** Which channel, and what it has when nothing is set. */
export interface ChannelNames {
  readonly direction: 'incoming' | 'outgoing'
  readonly channel: string
  /** Default: the channel's name. */
  readonly topic?: string
}

/** Where a channel's messages are. */
export interface ChannelProperties {
  readonly bootstrapServers: string
  readonly topic: string
}

/**
 * Reads a channel's properties as MicroProfile Reactive Messaging names them: `mp.messaging.<direction>.<channel>.topic`, and
 * `….bootstrap.servers`, which defaults to `kafka.bootstrap.servers` and that to `localhost:9092`.
 */
export function readChannel(
  read: PropertyReader,
  { direction, channel, topic = channel }: ChannelNames,
): ChannelProperties {
  const prefix = `mp.messaging.${direction}.${channel}`
  const servers = (name: string, fallback: string) =>
    read.custom(name, {
      default: fallback,
      expected: 'host:port, or several with commas between',
      parse: parseBootstrapServers,
    })
  const everywhere = servers('kafka.bootstrap.servers', 'localhost:9092')
  return {
    // Undefined when it is invalid, which has been told by then.
    bootstrapServers: servers(`${prefix}.bootstrap.servers`, everywhere ?? 'localhost:9092'),
    topic: read.custom(`${prefix}.topic`, {
      default: topic,
      expected: 'the name of a topic: 1 to 249 of a-z A-Z 0-9 . _ -',
      parse: (text) => checkName('topic', text),
    }),
  }
}
