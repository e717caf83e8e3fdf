import { expect, it } from 'vitest'
import { configProblems } from './config-problems.ts'

it('says why a config.ts cannot be loaded, also where an app has values that are not known here', async () => {
  const app = { config: () => Promise.reject(new SyntaxError('Unexpected token\n    at config.ts')) }
  for (const [given, isOpen] of [
    [[], false],
    [['KEY'], false],
    [[], true],
  ] as const) {
    expect(await configProblems(app, { env: {}, given: new Set(given), isOpen })).toEqual([
      'its config.ts cannot be loaded: Unexpected token',
    ])
  }
})

it('leaves open why a configuration cannot be read that has values which are not known here', async () => {
  const readConfig = () => {
    throw new TypeError('no URL: given')
  }
  const app = { config: () => Promise.resolve({ readConfig }) }
  expect(await configProblems(app, { env: {}, given: new Set(['KEY']), isOpen: false })).toEqual([])
  expect(await configProblems(app, { env: {}, given: new Set(), isOpen: false })).toEqual([
    'its configuration cannot be read: no URL: given',
  ])
})
