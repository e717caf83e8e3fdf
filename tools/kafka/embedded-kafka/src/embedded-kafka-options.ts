import type { OnConnectionError } from './network/connection.ts'
import type { OnDamage } from './storage/damage.ts'
import type { OnWriteFailure } from './storage/write-failures.ts'
import type { TopicOption } from './topics/wanted-topics.ts'

/** All have defaults that suit a test. */
export interface EmbeddedKafkaOptions {
  /**
   * How many brokers the cluster has, 1 to 9; default 1. With more, topics have up to three replicas. Ports other than 0 are those of the
   * first broker: the next one has the ports after them.
   */
  readonly brokers?: number
  /** The racks of the brokers, in their order and then from the first again; replicas are spread over them. Default: none. */
  readonly racks?: readonly string[]
  /** Address to listen on; default `127.0.0.1`. With `port` the short form of one listener, PLAINTEXT. */
  readonly host?: string
  /** Port to listen on; default 0: any free one. */
  readonly port?: number
  /** The advertised `host:port`, for a broker behind a published port, a tunnel or a proxy. For one listener. Default: the address that a client reached. */
  readonly advertise?: string
  /**
   * Instead of `host` and `port`: listeners with names, as Apache Kafka's `listeners`. An empty host is all addresses of this machine.
   * @example 'PLAINTEXT://127.0.0.1:9092,EXTERNAL://0.0.0.0:9094'
   */
  readonly listeners?: string
  /**
   * The advertised addresses of listeners, as Apache Kafka's `advertised.listeners`. Clients get the address that they reached where the
   * host is empty, the port is 0 or the listener is not named.
   * @example 'EXTERNAL://broker.example:19094'
   */
  readonly advertisedListeners?: string
  /**
   * As Apache Kafka's `listener.security.protocol.map`, of PLAINTEXT, SSL, SASL_PLAINTEXT and SASL_SSL. Default: a listener that is named
   * after one of them has it, all others are PLAINTEXT.
   */
  readonly listenerSecurityProtocolMap?: string
  /**
   * Properties of Apache Kafka's broker under their names; an option counts before the property of the same meaning. Defaults of topics
   * (`log.retention.ms`, `message.max.bytes`, …), `num.partitions`, `auto.create.topics.enable`, `broker.rack`, `log.dirs`, and who gets in:
   * `ssl.…`, `sasl.…`, also with `listener.name.{name}.` in front for one listener, `authorizer.class.name`, `super.users`; stores are PEM or PKCS12.
   * A wrong value stops the start, and so does a security property that Apache Kafka does not have. Others that mean nothing here are taken.
   * @example { 'message.max.bytes': '10485760', 'sasl.enabled.mechanisms': 'SCRAM-SHA-512' }
   */
  readonly properties?: Readonly<Record<string, string>>
  /**
   * Users of SCRAM, as `kafka-storage.sh format --add-scram` takes them, several with commas. Who has a password already, keeps it.
   * @example 'SCRAM-SHA-512=[name=alice,password=secret]'
   */
  readonly addScram?: string
  /** Folder for topics, records, offsets and transactions; undefined: in memory, gone with the process. */
  readonly dataDir?: string
  /** Topics that are there from the start, by name or with partitions and settings; those of the `dataDir` stay as they are. Default: none. */
  readonly topics?: readonly (string | TopicOption)[]
  /** Partitions of topics that are created without a number of them, 1 to `maxTopicPartitions`; default 1. */
  readonly defaultPartitions?: number
  /** Create topics when clients first ask for them; default true. */
  readonly autoCreateTopics?: boolean
  /** How long the cleaner of compacted topics rests in between, in milliseconds; default 15000, as Apache Kafka's. */
  readonly cleanerBackoffMs?: number
  /**
   * After how many records a log is flushed to the device, Apache Kafka's `log.flush.interval.messages`; with 1 a power cut loses nothing
   * that was acknowledged, committed offsets included. Default: the operating system decides. A topic's `flush.messages` counts before it.
   */
  readonly flushMessages?: number
  /** Likewise after how many milliseconds, 0 is at once: `log.flush.interval.ms`. */
  readonly flushMs?: number
  /** Largest request in bytes; default 104857600 (100 MiB), as Apache Kafka's `socket.request.max.bytes`. */
  readonly maxFrameBytes?: number
  /** Bytes of requests and answers that all connections may hold; above, the one that holds most is closed. Default 268435456 (256 MiB). */
  readonly maxHeldBytes?: number
  /** How long a request may take to arrive and an answer to be read, in milliseconds, before the connection is closed; default 30000. */
  readonly slowClientMs?: number
  /** Connections without a request for this many milliseconds are closed; default 600000, as Apache Kafka's `connections.max.idle.ms`. */
  readonly idleMs?: number
  /** Bytes of records without a `dataDir`; beyond it the oldest are dropped, in the largest partition first. Default 1073741824 (1 GiB). */
  readonly maxStoredBytes?: number
  /** Connections beyond this are closed at once; default 1000. */
  readonly maxConnections?: number
  /** Partitions of all topics together; default 4000. */
  readonly maxPartitions?: number
  /** Partitions of one topic, which are all created in one turn of the event loop; default 1000. */
  readonly maxTopicPartitions?: number
  /** Consumer groups; default 10000. */
  readonly maxGroups?: number
  /** Serves the control API by HTTP on this port, 0 is any free one; default: it is not served. */
  readonly controlPort?: number
  /** Address of the control API; default `127.0.0.1`. Every client that can reach it controls the broker. */
  readonly controlHost?: string
  /** Called when `control.reset()` or `POST /reset` has emptied the cluster. */
  readonly onReset?: () => void
  /** Called with each damaged file of the data folder, and its new place. */
  readonly onDamage?: OnDamage
  /** Called when a file of the data folder cannot be written, as on a full disk; once until a write to it succeeds again. */
  readonly onWriteFailure?: OnWriteFailure
  /** Called once, when records are dropped for the first time because they take `maxStoredBytes`. */
  readonly onMemoryFull?: () => void
  /** Called when a connection is closed because of an error. */
  readonly onConnectionError?: OnConnectionError
}
