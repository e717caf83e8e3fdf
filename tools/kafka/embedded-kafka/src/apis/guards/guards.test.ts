import { expect, it } from 'vitest'
import { API_VERSIONS_KEY } from '../../protocol/api-key.ts'
import { apis } from '../apis.ts'
import { guards } from './guards.ts'

it('decisions 3.56: every API has a guard, which says who may use it where there is an authorizer', () => {
  const unguarded = [...apis.values()].filter(({ key }) => key !== API_VERSIONS_KEY && !guards.has(key))
  expect(unguarded.map(({ name }) => name)).toEqual([])
})
