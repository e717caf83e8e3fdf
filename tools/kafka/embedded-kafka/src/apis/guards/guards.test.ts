import { expect, it } from 'vitest'
import { API_VERSIONS } from '../../protocol/api-versions.ts'
import { apis } from '../apis.ts'
import { guards } from './guards.ts'

it('decisions 3.56: every API has a guard, which says who may use it where there is an authorizer', () => {
  const unguarded = [...apis.values()].filter(({ key }) => key !== API_VERSIONS.ApiVersions.key && !guards.has(key))
  expect(unguarded.map(({ name }) => name)).toEqual([])
})

it('answers every API of the table, in its order', () => {
  expect([...apis.values()].map(({ name }) => name)).toEqual(Object.keys(API_VERSIONS))
})
