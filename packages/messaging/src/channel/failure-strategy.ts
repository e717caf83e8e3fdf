/**
 * Decides what becomes of a message whose handler, `onMessage` or `transform`, fails. A record that cannot be decoded (unknown batch format or
 * compression, a batch of more than 16 MiB decompressed, wrong lengths, more than 1000 headers) never reaches it and never stops the channel: it
 * is logged, counted, and with `dead-letter-queue` its bytes are written to the dead-letter topic.
 * - `fail`: the channel stops, its liveness is DOWN, the message is read again after a restart.
 * - `ignore`: logged, counted, acknowledged.
 * - `dead-letter-queue`: written to the dead-letter topic with its origin and reason as headers, then acknowledged.
 */
export type FailureStrategy = 'fail' | 'ignore' | 'dead-letter-queue'
