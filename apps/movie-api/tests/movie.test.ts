import { describe, expect, it } from 'vitest'
import { withRemote } from './expected-films.ts'
import { movieSystems } from './movie-system.ts'

const start = movieSystems()

describe('GET /movie', () => {
  it('decisions 2.6, 2.7: answers all films, episodeId from the remote, exactly the contract’s names, as application/json', async () => {
    await using system = await start({})
    const response = await system.api.get('/movie')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual(withRemote)
  })

  it('answers the films of one year', async () => {
    await using system = await start({})
    expect(await (await system.api.get('/movie?year=1980')).json()).toEqual([withRemote[1]])
    expect(system.remote.asked).toEqual([2])
  })

  it('decisions 1.16: year absent is all films', async () => {
    await using system = await start({})
    expect(await (await system.api.get('/movie?other=1')).json()).toHaveLength(6)
  })

  it.each([
    'year=',
    'year',
    'year=abc',
    'year=1980.5',
    'year=2147483648',
    'year=-2147483649',
    'year=%zz',
    'year=1e3',
    'year=0x7bc',
    'year=%201980',
    'year==1980',
    'year=%EF%BC%91%EF%BC%99%EF%BC%98%EF%BC%90',
    'year=%00',
    `year=${'9'.repeat(10_000)}`,
    'ye%61r=x',
    'year=1980&y%65ar=1980',
  ])('decisions 1.17: %s is 400 problem+json', async (query) => {
    await using system = await start({})
    const response = await system.api.get(`/movie?${query}`)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(await response.json()).toMatchObject({ status: 400, parameter: 'year' })
    expect(system.remote.requests).toEqual([])
  })

  it.each([
    ['+1980', 1],
    ['%2B1980', 1],
    ['01980', 1],
    ['-5', 0],
    ['0', 0],
    ['99999', 0],
    ['2147483647', 0],
    ['-2147483648', 0],
  ])('decisions 1.18: year=%s is accepted and finds %d', async (year, films) => {
    await using system = await start({})
    const response = await system.api.get(`/movie?year=${year}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toHaveLength(films)
  })

  it('decisions 1.19: year twice is 400', async () => {
    await using system = await start({})
    expect((await system.api.get('/movie?year=1980&year=1980')).status).toBe(400)
  })

  it('does not repeat a hostile year or path at length', async () => {
    await using system = await start({})
    const year = await (await system.api.get(`/movie?year=${'<script>'.repeat(1000)}`)).text()
    expect(year).not.toContain('<script>')
    const path = await fetch(`${system.api.url}/${'a'.repeat(10_000)}`)
    expect(path.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await path.text()).length).toBeLessThan(1000)
  })

  it.each(['year%5B%5D=1980', 'year[]=1980', 'year[0]=x', 'YEAR=x', '__proto__=1', 'constructor[prototype]=1'])(
    'has no parameter %s',
    async (query) => {
      await using system = await start({})
      expect(await (await system.api.get(`/movie?${query}`)).json()).toHaveLength(6)
    },
  )

  it('decisions 1.20: no film matches is [] without a remote call', async () => {
    await using system = await start({})
    const response = await system.api.get('/movie?year=1981')
    expect([response.status, await response.text()]).toEqual([200, '[]'])
    expect(system.remote.requests).toEqual([])
  })

  it('decisions 1.74: another method is 405 with Allow, HEAD is like GET without the body', async () => {
    await using system = await start({})
    const post = await system.api.get('/movie', { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const head = await system.api.get('/movie', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})
