import { createKafka, openTransform } from '../src/index.ts'
import { silentLog } from './silent-log.ts'

const { BOOTSTRAP_SERVERS = '', INPUT_TOPIC = '', OUTPUT_TOPIC = '', GROUP_ID = '', SESSION_TIMEOUT_MS } = process.env
const kafka = createKafka({
  clientId: 'transform',
  bootstrapServers: BOOTSTRAP_SERVERS,
  log: silentLog,
  ...(SESSION_TIMEOUT_MS === undefined ? {} : { sessionTimeoutMs: Number(SESSION_TIMEOUT_MS) }),
})
const transform = openTransform(kafka, {
  channel: 'pricing',
  inputTopic: INPUT_TOPIC,
  outputTopic: OUTPUT_TOPIC,
  groupId: GROUP_ID,
  transactionalId: GROUP_ID,
  batchSize: 20,
  transform: (message) => [{ key: message.key, value: `${message.value} priced` }],
})
await transform.assigned
process.stdout.write('assigned\n')
