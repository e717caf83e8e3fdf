import { createKafka, openFanOut } from '../src/index.ts'
import { silentLog } from './silent-log.ts'

/** Prints `group text` of each message; one that is HELD stays in flight. */
const { BOOTSTRAP_SERVERS = '', TOPIC = '', GROUP_IDS = '', READERS = '', SESSION_TIMEOUT_MS, HELD } = process.env
const kafka = createKafka({
  clientId: 'fan-out',
  bootstrapServers: BOOTSTRAP_SERVERS,
  log: silentLog,
  ...(SESSION_TIMEOUT_MS === undefined ? {} : { sessionTimeoutMs: Number(SESSION_TIMEOUT_MS) }),
})
const fanOut = openFanOut(kafka, {
  channel: 'texts',
  topic: TOPIC,
  groupId: READERS,
  commitIntervalMs: 20,
  read: ({ value }) => String(value),
})
for (const groupId of GROUP_IDS.split(',')) {
  fanOut.subscribe({
    groupId,
    concurrency: 8,
    // Handled only when the line has left this process, so that a kill cannot undo it.
    onMessage: (text) =>
      new Promise((resolve) => {
        if (text !== HELD) process.stdout.write(`${groupId} ${text}\n`, () => resolve())
      }),
    onUnreadable: () => undefined,
  })
}
