import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RemoteBeer, type Standin, startBeerStandin } from '../src/index.ts'

describe('beer stand-in', () => {
  let standin: Standin
  beforeAll(async () => {
    standin = await startBeerStandin()
  })
  afterAll(() => standin[Symbol.asyncDispose]())

  const get = (path: string, init?: RequestInit) => fetch(standin.url + path, init)
  const beers = async (path: string) => (await (await get(path)).json()) as RemoteBeer[]

  it('ships at least thirty beers, some above 15 percent and one of exactly 15', async () => {
    const all = await beers('/beers?per_page=80')
    expect(all.length).toBeGreaterThanOrEqual(30)
    expect(new Set(all.map((beer) => beer.name)).size).toBe(all.length)
    expect(all.filter((beer) => beer.abv > 15).length).toBeGreaterThan(0)
    expect(all.filter((beer) => beer.abv === 15)).toHaveLength(1)
  })

  it('pages 25 at a time and answers an empty array past the end', async () => {
    const response = await get('/beers')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect((await beers('/beers?page=1')).map((beer) => beer.id)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1))
    expect((await beers('/beers?page=2&per_page=2')).map((beer) => beer.id)).toEqual([3, 4])
    expect((await get('/beers?page=99')).status).toBe(200)
    expect(await beers('/beers?page=99')).toEqual([])
  })

  it('answers 400 naming every bad parameter with its text', async () => {
    const response = await get('/beers?page=&per_page=-1')
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Invalid query params',
      data: [
        { location: 'query', param: 'page', msg: 'Must be a number greater than 0', value: '' },
        { location: 'query', param: 'per_page', msg: 'Must be a number greater than 0 and less than 80', value: '-1' },
      ],
    })
  })

  it.each(['page=0', 'page=abc', 'page=1.5', 'per_page=81'])('answers 400 to %s', async (query) => {
    expect((await get(`/beers?${query}`)).status).toBe(400)
  })

  it('answers any other path or method with 404', async () => {
    const other = await get('/x')
    expect(other.status).toBe(404)
    expect(await other.json()).toMatchObject({ message: "No endpoint found that matches '/v2/x'" })
    expect((await get('/beers', { method: 'POST' })).status).toBe(404)
  })
})
