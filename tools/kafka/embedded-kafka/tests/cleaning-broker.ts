import { once } from 'node:events'
import { startEmbeddedKafka } from '../src/index.ts'

/** Run by compaction-killed.long.test.ts, which kills it: a broker whose cleaner hardly rests. */
await using broker = await startEmbeddedKafka({
  port: Number(process.env['KAFKA_PORT']),
  dataDir: process.env['KAFKA_DATA_DIR'] ?? '',
  cleanerBackoffMs: 5,
})
process.stdout.write(`${JSON.stringify({ port: broker.port, msg: 'embedded-kafka ready' })}\n`)
await once(process, 'SIGTERM')
