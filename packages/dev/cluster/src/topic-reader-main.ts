import { createKafka, openIncoming } from '@taproom/messaging'

/** Runs in a pod of the cluster: prints every record of a topic that a `read_committed` reader sees, one line each, for as long as it runs. */
const [bootstrapServers = '', topic = ''] = process.argv.slice(2)
const print = (fields: object) => void process.stdout.write(`${JSON.stringify(fields)}\n`)
const log = { debug() {}, info() {}, warn: print, error: print }

openIncoming(createKafka({ clientId: 'topic-reader', bootstrapServers, log }), {
  channel: topic,
  topic,
  from: 'earliest',
  onMessage: ({ partition, offset, key, value }) =>
    print({ partition, offset, key: String(key), value: String(value) }),
})
