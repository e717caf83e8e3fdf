import { expect, it } from 'vitest'
import { RefusalLog } from './refusal-log.ts'

it('decisions 3.170: warns of the refusals of each topic once a minute', () => {
  const lines: string[] = []
  let nowMs = 5000
  const write = (level: string) => (fields: object) => void lines.push(`${level} ${Object.values(fields).join(' ')}`)
  const refusals = new RefusalLog({ warn: write('warn'), debug: write('debug') }, () => nowMs)
  const refuse = (topic: string) => refusals.refused({ channel: 'c', topic, reason: 'too large' })
  refuse('beers')
  refuse('beers')
  refuse('films')
  nowMs += 59_999
  refuse('films')
  nowMs += 1
  refuse('films')
  expect(lines).toEqual([
    'warn c beers too large',
    'debug c beers too large',
    'warn c films too large',
    'debug c films too large',
    'warn c films too large',
  ])
})
