import { createLogger } from '@taproom/service'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { openTemplateAppDatabase } from '../src/database.ts'
import { openTemplateAppOutbox } from '../src/outbox.ts'
import { startTemplateAppProcess } from './template-app-process.ts'

const log = createLogger('template-app', { level: 'silent' })

describe('the outbox', () => {
  it('writes to the topic what a committed transaction sent, and nothing of one that was rolled back', async () => {
    await using app = await startTemplateAppProcess()
    await using topic = await app.readTopic('template-app-out')
    const { outgoing, ...config } = readConfig(app.env)
    await using database = openTemplateAppDatabase({ ...config, log })
    await using outbox = openTemplateAppOutbox(outgoing, database, log)
    const send = (value: string, error?: Error) =>
      database.query((knex) =>
        knex.transaction(async (trx) => {
          await outbox.send(trx, { key: 'k', value })
          if (error) throw error
        }),
      )
    await expect(send('no', new Error('rolled back'))).rejects.toThrow('rolled back')
    await send('yes')
    await waitFor('the message', () => topic.messages.length > 0)
    expect(topic.messages.map(({ value }) => String(value))).toEqual(['yes'])
  })
})
