import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Standin, startFilmStandin } from '../src/index.ts'

describe('film stand-in', () => {
  let standin: Standin
  beforeAll(async () => {
    standin = await startFilmStandin()
  })
  afterAll(() => standin[Symbol.asyncDispose]())

  const get = (path: string, init?: RequestInit) => fetch(standin.url + path, { redirect: 'manual', ...init })

  it('answers six films with everything the lookup needs, episodes differing from ids', async () => {
    const episodes: number[] = []
    for (const id of [1, 2, 3, 4, 5, 6]) {
      const response = await get(`/films/${id}/`)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/json')
      const film = (await response.json()) as Record<string, unknown>
      expect(film).toMatchObject({ title: expect.stringMatching(/./), director: expect.stringMatching(/./) })
      expect(film['producer']).toMatch(/./)
      expect(film['opening_crawl']).toContain('\r\n')
      episodes.push(film['episode_id'] as number)
    }
    expect(episodes).toEqual([4, 5, 6, 1, 2, 3])
  })

  it('redirects an address without the last slash to the one with it', async () => {
    const response = await get('/films/1')
    expect(response.status).toBe(301)
    expect(response.headers.get('location')).toBe('/api/films/1/')
    expect(await response.text()).toBe('')
    expect((await fetch(`${standin.url}/films/1`)).status).toBe(200)
  })

  it.each(['/films/7/', '/films/0/', '/films/abc/', '/nothing/here/'])(
    'answers 404 with a detail for %s',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(404)
      expect(await response.text()).toBe('{"detail":"Not found"}')
    },
  )

  it('lists every film under films/', async () => {
    const response = await get('/films/')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ count: 6, results: { length: 6 } })
  })

  it('answers HEAD as GET without the body', async () => {
    const response = await get('/films/1/', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })

  it('answers another method with 405, Allow and a detail', async () => {
    const response = await get('/films/1/', { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    expect(await response.json()).toEqual({ detail: "Method 'POST' not allowed." })
  })

  it.each(['//evil.example/api/films', 'http://evil.example/api/films', '/api/films'])(
    'never leads to another host, asked for %s',
    async (target) => {
      const { hostname, port } = new URL(standin.url)
      const [response] = (await once(request({ hostname, port, path: target }).end(), 'response')) as [IncomingMessage]
      response.resume()
      expect(response.headers.location ?? '').not.toContain('evil')
      expect([301, 404]).toContain(response.statusCode)
    },
  )
})
