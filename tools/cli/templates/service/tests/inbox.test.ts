import { openOutgoing } from '@taproom/messaging'
import { createLogger } from '@taproom/service'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { openTemplateAppDatabase } from '../src/database.ts'
import { startTemplateAppProcess } from './template-app-process.ts'

const log = createLogger('template-app', { level: 'silent' })

describe('the inbox', () => {
  it('handles each message of its topic once', async () => {
    await using app = await startTemplateAppProcess()
    const { incoming, ...config } = readConfig(app.env)
    await using topic = openOutgoing(app.kafka, { channel: 'writer', topic: incoming.topic, timeoutMs: 90_000 })
    for (const id of [1, 1, 2]) await topic.send({ key: 'k', value: JSON.stringify({ id, name: `name ${id}` }) })
    const timesSaid = (text: string) => app.service.lines.filter(({ msg }) => msg === text).length
    await waitFor('all messages', () => timesSaid('message handled') + timesSaid('message handled before') >= 3)
    expect(timesSaid('message handled')).toBe(2)
    await using database = openTemplateAppDatabase({ ...config, log })
    expect(await database.query((knex) => knex('template_app_received').orderBy('id'))).toEqual([
      { id: 1, name: 'name 1' },
      { id: 2, name: 'name 2' },
    ])
  })
})
