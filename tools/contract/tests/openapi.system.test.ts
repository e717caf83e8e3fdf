import { type DescribedApi, readDescription } from '@taproom/testkit/openapi'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, target } from './target.ts'

/** Elsewhere nothing may stand in front of the services that makes one description of theirs. */
const isDescribed = target.isOwn === true || (await call('/q/openapi')).status !== 404

let api: DescribedApi
beforeAll(async () => {
  if (!isDescribed) return
  api = await readDescription((await (await call('/q/openapi?format=json')).json()) as object)
})

describe('the description at /q/openapi', { tags: 'described', skip: !isDescribed }, () => {
  it('is YAML by default and names the base URL', async () => {
    const response = await call('/q/openapi')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/yaml/)
    expect(await response.text()).toContain(`  - url: ${target.url}\n`)
  })

  it('fits what the system answers', async () => {
    const statusOf = async (path: string, init?: RequestInit) => (await api.fetch(target.url + path, init)).status
    expect(await statusOf('/secure/claim')).toBe(401)
    expect(await statusOf('/movie')).toBe(200)
    expect(await statusOf('/movie?year=abc')).toBe(400)
    expect(await statusOf('/movie', { method: 'POST' })).toBe(405)
    expect(await statusOf('/beer/all')).toBe(200)
    expect(await statusOf('/beer/all', { headers: { Accept: 'application/x-ndjson' } })).toBe(200)
    expect(await statusOf('/nothing/here')).toBe(404)
    for (const report of ['', '/live', '/ready', '/started', '/well']) {
      expect(await statusOf(`/q/health${report}`)).toBe(200)
    }
    const caller = new AbortController()
    expect(await statusOf('/beer', { signal: caller.signal })).toBe(200)
    caller.abort()
  })
})
