import { checkInteger, checkName } from './channel/option-rules.ts'
import {
  type ConnectionDefaults,
  type ConnectionProperties,
  readConnection,
} from './connection/connection-properties.ts'
import type { PropertyReader } from './connection/property-reader.ts'
import type { IncomingOptions } from './incoming/incoming-channel.ts'
import { COMPRESSIONS } from './kafka/compression.ts'
import type { OutgoingOptions } from './outgoing/outgoing-channel.ts'

export interface ChannelProperties extends ConnectionProperties {
  readonly topic: string
}

export interface IncomingProperties
  extends ChannelProperties,
    Pick<IncomingOptions, 'groupId' | 'deadLetterTopic'>,
    Required<Pick<IncomingOptions, 'from' | 'failureStrategy'>> {}

export type OutgoingProperties = ChannelProperties &
  Required<Pick<OutgoingOptions, 'overflow' | 'bufferSize' | 'compression'>>

interface Fixed extends ConnectionDefaults {
  /** Attributes that the service itself decides: another value is reported as a problem. */
  readonly fixed?: readonly string[]
}

/** The values of properties that are not set. */
export interface IncomingDefaults
  extends Fixed,
    Pick<IncomingOptions, 'channel' | 'topic' | 'groupId' | 'from' | 'failureStrategy'> {}

/** The values of properties that are not set. */
export interface OutgoingDefaults
  extends Fixed,
    Pick<OutgoingOptions, 'channel' | 'topic' | 'overflow' | 'bufferSize'> {}

const CONNECTOR = 'smallrye-kafka'

/**
 * Reads an incoming channel's properties as MicroProfile Reactive Messaging and SmallRye's Kafka connector name them,
 * `mp.messaging.incoming.<channel>.…`: `topic`, those of the connection (see {@link readConnection}), `group.id`, `auto.offset.reset`, `failure-strategy` and `dead-letter-queue.topic`. `connector` and `enabled`
 * can only be set to their fixed values.
 */
export function readIncoming(
  read: PropertyReader,
  defaults: IncomingDefaults & { readonly groupId: string },
): IncomingProperties & { readonly groupId: string }
export function readIncoming(read: PropertyReader, defaults: IncomingDefaults): IncomingProperties
export function readIncoming(read: PropertyReader, defaults: IncomingDefaults): IncomingProperties {
  const of = channelReader(read, 'incoming', defaults)
  const groupId = of.name('group.id', defaults.groupId)
  const deadLetterTopic = of.name('dead-letter-queue.topic')
  return {
    ...of.place(defaults.topic),
    ...(groupId !== undefined && { groupId }),
    from: of.oneOf('auto.offset.reset', ['latest', 'earliest'], defaults.from ?? 'latest'),
    failureStrategy: of.oneOf(
      'failure-strategy',
      ['fail', 'ignore', 'dead-letter-queue'],
      defaults.failureStrategy ?? 'fail',
    ),
    ...(deadLetterTopic !== undefined && { deadLetterTopic }),
  }
}

/**
 * Reads an outgoing channel's properties, `mp.messaging.outgoing.<channel>.…`: `topic`, `overflow` (as the
 * strategies of `@OnOverflow`), `max-inflight-messages` and `compression.type`; the rest as in `readIncoming`.
 */
export function readOutgoing(read: PropertyReader, defaults: OutgoingDefaults): OutgoingProperties {
  const of = channelReader(read, 'outgoing', defaults)
  return {
    ...of.place(defaults.topic),
    overflow: of.oneOf('overflow', ['drop', 'fail', 'buffer'], defaults.overflow ?? 'buffer'),
    bufferSize: of.property('max-inflight-messages', {
      default: String(defaults.bufferSize ?? 1024),
      expected: 'a whole number of at least 1',
      parse: (text) => checkInteger('max-inflight-messages', Number(text), 1),
    }),
    compression: of.oneOf('compression.type', COMPRESSIONS, 'none'),
  }
}

function channelReader(
  read: PropertyReader,
  direction: 'incoming' | 'outgoing',
  { channel, fixed = [], mode }: IncomingDefaults | OutgoingDefaults,
) {
  const prefix = `mp.messaging.${direction}.${channel}`
  const nameOf = (attribute: string) => `${prefix}.${attribute}`
  const property: PropertyReader['custom'] = (attribute, options) => {
    if (!fixed.includes(attribute)) return read.custom(nameOf(attribute), options)
    const parse = (text: string) => {
      if (text !== options.default) throw new RangeError(`${attribute} cannot be set`)
      return options.parse(text)
    }
    return read.custom(nameOf(attribute), { ...options, expected: 'nothing, because the service decides it', parse })
  }

  /** Ignores case, because Java's strategies are written in capitals. */
  function oneOf<const T extends string>(attribute: string, values: readonly T[], fallback: NoInfer<T>): T {
    return property(attribute, {
      default: fallback,
      expected: `one of ${values.join(', ')}`,
      parse(text) {
        const value = values.find((each) => each === text.toLowerCase())
        if (value === undefined) throw new RangeError(`${attribute} must be one of ${values.join(', ')}`)
        return value
      },
    })
  }

  function name(attribute: string, fallback = ''): string | undefined {
    const value = property(attribute, {
      default: fallback,
      expected: 'a name of 1 to 249 of a-z A-Z 0-9 . _ -',
      parse: (text) => (text === '' ? '' : checkName(attribute, text)),
    })
    return value === '' ? undefined : value
  }

  return {
    property,
    oneOf,
    name,
    place(topic = channel): ChannelProperties {
      oneOf('connector', [CONNECTOR], CONNECTOR)
      oneOf('enabled', ['true'], 'true')
      return { ...readConnection(read, { ...(mode && { mode }) }, prefix), topic: name('topic', topic) ?? topic }
    },
  }
}
