import { KafkaJSNonRetriableError, KafkaJSSASLAuthenticationError } from '#kafkajs'

// biome-ignore lint/performance/noReExportAll: all that another package has, under a second name
export * from '#kafkajs'

/** Bytes that are not what the protocol says: they end too early, or hold a length or a count that cannot be. */
export class KafkaJSCorruptDataError extends KafkaJSNonRetriableError {}

/** The broker asks for a number of SCRAM iterations that this client does not do. */
export class KafkaJSScramIterationsError extends KafkaJSSASLAuthenticationError {}
