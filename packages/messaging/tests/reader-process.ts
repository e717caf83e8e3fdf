import { setImmediate } from 'node:timers/promises'
import { createKafka, openIncoming } from '../src/index.ts'
import { silentLog } from './silent-log.ts'

const { BOOTSTRAP_SERVERS = '', TOPIC = '', GROUP_ID = '' } = process.env
const kafka = createKafka({ clientId: 'reader', bootstrapServers: BOOTSTRAP_SERVERS, log: silentLog })
openIncoming(kafka, {
  channel: 'beers',
  topic: TOPIC,
  groupId: GROUP_ID,
  from: 'earliest',
  concurrency: 8,
  commitIntervalMs: 20,
  async onMessage(message) {
    await setImmediate()
    process.stdout.write(`${message.value}\n`)
  },
})
