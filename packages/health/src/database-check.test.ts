import { describe, expect, it } from 'vitest'
import { databaseCheck } from './database-check.ts'
import { createHealth } from './health.ts'

describe('databaseCheck', () => {
  const report = async (sources: Parameters<typeof databaseCheck>[0]) =>
    (await createHealth({ readiness: [databaseCheck(sources)] }).report('ready')).checks[0]

  it('names every data source that answers', async () => {
    expect(await report({ '<default>': async () => {}, users: async () => {} })).toEqual({
      name: 'Database connections health check',
      status: 'UP',
      data: { '<default>': 'UP', users: 'UP' },
    })
  })

  it('is DOWN with the reason when one fails, also when it throws at once', async () => {
    const outcome = await report({
      '<default>': async () => {},
      broken: async () => {
        throw new Error('query failed', { cause: new Error('no such table') })
      },
      rude: () => {
        throw new Error('at once')
      },
    })
    expect(outcome).toMatchObject({
      status: 'DOWN',
      data: {
        '<default>': 'UP',
        broken: 'Unable to execute the validation check: no such table',
        rude: 'Unable to execute the validation check: at once',
      },
    })
  })

  it('tells which data source did not answer within the limit', async () => {
    const check = { ...databaseCheck({ slow: () => new Promise(() => {}), quick: async () => {} }), timeoutMs: 20 }
    const [outcome] = (await createHealth({ readiness: [check] }).report('ready')).checks
    expect(outcome).toMatchObject({
      status: 'DOWN',
      data: {
        slow: 'Unable to execute the validation check: no result within 20 ms',
        quick: 'UP',
        error: 'no result within 20 ms',
      },
    })
  })
})
