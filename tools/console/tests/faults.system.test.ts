import { waitFor } from '@taproom/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { driven } from './fixtures/driven.ts'
import { sharedSystem } from './fixtures/shared-system.ts'
import { tried } from './fixtures/tried.ts'

let system: ReturnType<typeof driven>
beforeAll(async () => {
  system = driven(await sharedSystem())
})

describe('faults', () => {
  it('decisions 3.117: are those of what stands in for something real', async () => {
    const { body } = await system.get('/api/faults')
    expect(body.items.map(({ target, kind, mode }: Record<string, string>) => [target, kind, mode])).toEqual([
      ['embedded-kafka', 'kafka', 'none'],
      ['film-standin', 'stand-in', 'none'],
      ['beer-standin', 'stand-in', 'none'],
    ])
    const app = await system.put('/api/faults/movie-api', { mode: 'slow' })
    expect(app).toMatchObject({ status: 404, body: { detail: expect.stringContaining('film-standin') } })
    expect(await system.put('/api/faults/embedded-kafka', { mode: 'slow' })).toMatchObject({ status: 400 })
    expect(await system.put('/api/faults/film-standin', { mode: 'slow', seconds: 601 })).toMatchObject({ status: 400 })
  })

  it('of the film service are met by those who ask it', async () => {
    const before = Date.now()
    const set = await system.put('/api/faults/film-standin', { mode: 'failing', seconds: 600 })
    expect(set).toMatchObject({ status: 200, body: { target: 'film-standin', mode: 'failing' } })
    expect(set.body.until).toBeGreaterThan(before)
    const { head } = await tried(system.console, { method: 'GET', path: '/movie?year=1980', headers: {} })
    await waitFor('the answer of the film service', async () => {
      const { body } = await system.get(`/api/traces/${head.traceId}`)
      return body.items?.some(
        (span: { kind: string; service: string; attributes: Record<string, unknown> }) =>
          span.service === 'movie-api' &&
          span.kind === 'client' &&
          span.attributes['http.response.status_code'] === 503,
      )
    })
    expect((await system.put('/api/faults/film-standin', { mode: 'none' })).body).toMatchObject({ mode: 'none' })
  })

  it('take Kafka away, and bring it back', async () => {
    const away = await system.put('/api/faults/embedded-kafka', { mode: 'away', seconds: 600 })
    expect(away).toMatchObject({ status: 200, body: { mode: 'away', until: expect.any(Number) } })
    expect(await system.get('/api/kafka/topics')).toMatchObject({ status: 503 })
    expect(await system.put('/api/faults/embedded-kafka', { mode: 'none' })).toMatchObject({ body: { mode: 'none' } })
    await waitFor('topics', async () => (await system.get('/api/kafka/topics')).status === 200)
  })
})
