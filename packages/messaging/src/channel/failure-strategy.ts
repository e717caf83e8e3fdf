/**
 * Decides what becomes of a message whose handler, `onMessage` or `transform`, fails, and of records that cannot be decoded (unknown batch
 * format, a batch of more than 16 MiB decompressed, wrong lengths, more than 1000 headers). Those never reach the handler; a batch that cannot
 * be decoded is one failure, counts by its records, and is one dead letter with the bytes of the batch.
 * A transient failure (`isTransient: true`) is retried under each strategy.
 * - `fail`: the channel stops, its liveness is DOWN, the message is read again after a restart.
 * - `ignore`: logged, counted, acknowledged.
 * - `dead-letter-queue`: written to the dead-letter topic with its origin and reason as headers, then acknowledged.
 */
export type FailureStrategy = 'fail' | 'ignore' | 'dead-letter-queue'
