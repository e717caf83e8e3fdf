import { createKafka, openIncoming } from '../src/index.ts'
import { silentLog } from './silent-log.ts'

/** Prints each message; one that is HELD stays in flight. */
const { BOOTSTRAP_SERVERS = '', TOPIC = '', GROUP_ID = '', SESSION_TIMEOUT_MS, HELD } = process.env
const kafka = createKafka({
  clientId: 'reader',
  bootstrapServers: BOOTSTRAP_SERVERS,
  log: silentLog,
  ...(SESSION_TIMEOUT_MS === undefined ? {} : { sessionTimeoutMs: Number(SESSION_TIMEOUT_MS) }),
})
openIncoming(kafka, {
  channel: 'beers',
  topic: TOPIC,
  groupId: GROUP_ID,
  from: 'earliest',
  concurrency: 8,
  commitIntervalMs: 20,
  // Handled only when the line has left this process, so that a kill cannot undo it.
  onMessage: ({ value }) =>
    new Promise((resolve) => {
      if (String(value) !== HELD) process.stdout.write(`${value}\n`, () => resolve())
    }),
})
