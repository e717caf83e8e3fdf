import { expect, it } from 'vitest'
import type { SystemView } from '../src/api/system.ts'
import { startSmallSystem } from './fixtures/small-system.ts'

it('what a system does not have is 404, with the reason', async () => {
  await using system = await startSmallSystem({ OTEL_TRACES_EXPORTER: 'none' })
  const detailOf = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${system.console}${path}`, {
      method,
      headers: { authorization: system.authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { detail } = (await response.json()) as { readonly detail: string }
    return `${response.status} ${detail}`
  }
  expect(await detailOf('GET', '/api/kafka/topics')).toBe('404 this system has no Kafka')
  expect(await detailOf('GET', '/api/kafka/topics/beer/records')).toBe('404 this system has no Kafka')
  expect(await detailOf('GET', '/api/eventing')).toBe('404 this system has no event platform')
  const record = { topic: 'knative-broker.default.default', partition: 0, offset: '0' }
  expect(await detailOf('POST', '/api/events/again', record)).toBe('404 this system has no Kafka')
  expect(await detailOf('POST', '/api/tokens', { user: 'duke', groups: [] })).toContain(
    '404 this system does not accept development tokens',
  )
  expect(await system.get('/api/faults')).toEqual({ items: [] })
  expect((await system.get<SystemView>('/api/system')).tracesSetBy).toBe('OTEL_TRACES_EXPORTER')
})
