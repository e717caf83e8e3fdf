import { createKafka, openIncoming, readConnection } from '@taproom/messaging'
import { parseEnv } from '@taproom/service'

/** Runs in a pod of the cluster: prints every record of a topic that a `read_committed` reader sees, one line each, for as long as it runs. */
const [topic = ''] = process.argv.slice(2)
const print = (fields: object) => void process.stdout.write(`${JSON.stringify(fields)}\n`)
const log = { debug() {}, info() {}, warn: print, error: print }
const connection = parseEnv(process.env, (read) => readConnection(read))

openIncoming(createKafka({ clientId: 'topic-reader', ...connection, log }), {
  channel: topic,
  topic,
  from: 'earliest',
  onMessage: ({ partition, offset, key, value }) =>
    print({ partition, offset, key: String(key), value: String(value) }),
})
