export { type EmbeddedKafka, type EmbeddedKafkaOptions, startEmbeddedKafka } from './embedded-kafka.ts'
export { DataDirError, EmbeddedKafkaError, ListenError, OptionError } from './errors.ts'
export type { OnConnectionError } from './network/connection.ts'
export type { ListenerAddress } from './network/listener.ts'
