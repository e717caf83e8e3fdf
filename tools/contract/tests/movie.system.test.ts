import { describe, expect, it } from 'vitest'
import { call } from './target.ts'

const FILMS = [
  ['A New Hope', '1977-05-25'],
  ['The Empire Strikes Back', '1980-05-17'],
  ['Return of the Jedi', '1983-05-25'],
  ['The Phantom Menace', '1999-05-19'],
  ['Attack of the Clones', '2002-05-16'],
  ['Revenge of the Sith', '2005-05-19'],
]

async function movies(query = ''): Promise<Record<string, unknown>[]> {
  const response = await call(`/movie${query}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  return (await response.json()) as Record<string, unknown>[]
}

describe('contract 4.3: GET /movie', () => {
  it('answers all six films with the fields of 2.2 and nothing else', async () => {
    const films = await movies()
    expect(films.map(({ title, releaseDate }) => [title, releaseDate]).sort()).toEqual(FILMS.toSorted())
    for (const film of films) {
      expect(Object.keys(film).sort()).toEqual([
        'director',
        'episodeId',
        'opening_crawl',
        'producer',
        'releaseDate',
        'title',
      ])
      expect(film).toMatchObject({
        director: expect.any(String),
        producer: expect.any(String),
        opening_crawl: expect.any(String),
      })
      expect(Number.isInteger(film['episodeId'])).toBe(true)
    }
  })

  it('enriches every film from the remote film service', async () => {
    for (const film of await movies()) {
      expect(film['director']).not.toBe('')
      expect(film['opening_crawl']).not.toBe('')
      expect(film['episodeId']).toBeGreaterThan(0)
    }
  })

  it('decisions 1.16: selects by the year of the release date', async () => {
    expect((await movies('?year=1980')).map(({ title }) => title)).toEqual(['The Empire Strikes Back'])
  })

  it.each(['1900', '%2B1980000', '-5'])(
    'decisions 1.18, 1.20: year=%s matches no film: an empty list',
    async (year) => {
      expect(await movies(`?year=${year}`)).toEqual([])
    },
  )

  it.each(['year=', 'year=abc', 'year=1980.5', 'year=99999999999', 'year=1980&year=1983'])(
    'decisions 1.17, 1.19: %s is 400 problem+json',
    async (query) => {
      const response = await call(`/movie?${query}`)
      expect(response.status).toBe(400)
      expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
      expect(await response.json()).toMatchObject({ status: 400, detail: expect.stringContaining('year') })
    },
  )

  it('decisions 1.74: a wrong method is 405 with Allow', async () => {
    const response = await call('/movie', { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toContain('GET')
  })
})
