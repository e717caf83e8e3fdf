/** A consumer of the topic in `TOPIC`, as services have it: reads each record as an event, and answers over HTTP which probes it has seen. */
import { createServer } from 'node:http'
import { CloudEventsError, fromKafkaMessage } from '@taproom/events'
import { createKafka, openIncoming } from '@taproom/messaging'

const { KAFKA_BOOTSTRAP_SERVERS: bootstrapServers = '', TOPIC: topic = '', PORT: port = '0' } = process.env
const silent = () => {}
const log = {
  ...{ debug: silent, info: silent, warn: silent },
  error(fields: object, message: string) {
    process.stderr.write(`${message} ${JSON.stringify(fields).slice(0, 300)}\n`)
  },
}
const seen = new Set<string>()

const kafka = createKafka({ clientId: 'fuzz-consumer', bootstrapServers, log })
const channel = openIncoming(kafka, {
  channel: 'fuzz',
  topic,
  from: 'earliest',
  concurrency: 8,
  failureStrategy: 'ignore',
  onMessage({ key, headers, value }) {
    if (key?.toString().startsWith('probe-')) seen.add(key.toString())
    try {
      fromKafkaMessage({ headers, value })
    } catch (error) {
      if (!(error instanceof CloudEventsError)) throw error
    }
  },
})
await channel.assigned
createServer((req, res) => {
  res.writeHead(seen.has((req.url ?? '').slice(1)) || req.url === '/' ? 200 : 404).end()
}).listen(Number(port), '127.0.0.1')
