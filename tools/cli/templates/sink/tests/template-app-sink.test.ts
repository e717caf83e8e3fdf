import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKafka, type IncomingMessage, openIncoming } from '@taproom/messaging'
import { createLogger } from '@taproom/service'
import { eventually, startKafka, startProcess, waitFor, waitUntilReady } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { openTemplateAppDatabase } from '../src/database.ts'

const main = new URL('../src/main.ts', import.meta.url)

it('takes events, and refuses what is none', async () => {
  await using opened = new AsyncDisposableStack()
  // begin database
  const folder = await mkdtemp(join(tmpdir(), 'template-app-sink-'))
  opened.defer(() => rm(folder, { recursive: true }))
  // end
  // begin outgoing
  const kafka = opened.use(await startKafka())
  // end
  const env = {
    // begin database
    DATABASE_URL: `sqlite:${join(folder, 'template-app-sink.sqlite')}`,
    // end
    // begin outgoing
    KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers,
    // end
  }
  const sink = opened.use(startProcess(main, env))
  const url = await sink.url()
  await waitUntilReady(url)

  const headers = { 'Ce-Id': '1', 'Ce-Source': '/test', 'Ce-Specversion': '1.0', 'Content-Type': 'application/json' }
  const post = async (type: string | undefined, data: object) => {
    const all = type === undefined ? headers : { ...headers, 'Ce-Type': type }
    return (await fetch(url, { method: 'POST', headers: all, body: JSON.stringify(data) })).status
  }
  expect(await post(undefined, {})).toBe(400)
  // begin code
  expect(await post('another', {})).toBe(400)
  expect(await post('greeting', { message: 1 })).toBe(400)
  // end
  // An event may come twice.
  for (const _time of ['first', 'second']) expect(await post('greeting', { message: 'hello' })).toBe(200)
  // begin log
  await waitFor('the events in the log', () => sink.lines.filter(({ msg }) => msg === 'event received').length === 2)
  // end
  // begin code
  const log = createLogger('test', { level: 'silent' })
  // end
  // begin database
  const database = opened.use(openTemplateAppDatabase({ ...readConfig(env), log }))
  const rows = await database.query((knex) => knex('template_app').select())
  expect(rows).toEqual([{ source: '/test', id: '1', message: 'hello' }])
  // end
  // begin outgoing
  const messages: IncomingMessage[] = []
  const client = createKafka({ clientId: 'test', ...kafka, log })
  const onMessage = (message: IncomingMessage) => void messages.push(message)
  opened.use(openIncoming(client, { channel: 'template-app-out', from: 'earliest', onMessage }))
  await eventually(async () => expect(messages.map(({ key }) => String(key))).toContain('/test 1'))
  // end
})
