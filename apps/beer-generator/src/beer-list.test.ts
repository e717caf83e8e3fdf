import { type Beer, BeerServiceUnreachableError } from '@taproom/beer'
import { describe, expect, it } from 'vitest'
import { type BeerListFailure, loadBeerList } from './beer-list.ts'

const makeBeers = (from: number, count: number): Beer[] =>
  Array.from({ length: count }, (_, i) => ({ name: `beer ${from + i}`, tagline: '', abv: 5 }))

/** Loads from a service that gives these answers in turn; returns the pages asked for and the waits between. */
async function load(answers: readonly (Beer[] | Error)[], size = 10) {
  const pages: number[] = []
  const failures: BeerListFailure[] = []
  const waits: number[] = []
  const beers = await loadBeerList({
    size,
    client: {
      page: async (page) => {
        const answer = answers[pages.push(page) - 1]
        if (answer === undefined || answer instanceof Error) throw answer ?? new TypeError('a call too many')
        return answer
      },
    },
    signal: new AbortController().signal,
    onFailure: (failure) => failures.push(failure),
    wait: async (ms) => waits.push(ms),
  })
  return { names: beers.map((beer) => beer.name), pages, failures, waits }
}

const unreachable = new BeerServiceUnreachableError('GET http://beers.test/beers page 1')

describe('loadBeerList', () => {
  it('decisions 2.8: takes 10 beers from page 1 onward', async () => {
    const { names, pages } = await load([makeBeers(1, 4), makeBeers(5, 4), makeBeers(9, 4)])
    expect(names).toEqual(makeBeers(1, 10).map((beer) => beer.name))
    expect(pages).toEqual([1, 2, 3])
  })

  it('asks for no second page when the first has enough', async () => {
    expect(await load([makeBeers(1, 25)])).toMatchObject({ pages: [1], names: { length: 10 } })
  })

  it('takes what there is when the service lists fewer', async () => {
    expect(await load([makeBeers(1, 3), []])).toMatchObject({ pages: [1, 2], names: { length: 3 } })
  })

  it('decisions 1.49: tries again with a back-off that doubles up to 5 s until the service answers', async () => {
    const { pages, waits, failures } = await load([...Array(7).fill(unreachable), makeBeers(1, 10)])
    expect(pages).toHaveLength(8)
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000])
    expect(failures[0]).toEqual({ error: unreachable, attempt: 1, retryInMs: 250 })
  })

  it('begins at page 1 again when a later page fails', async () => {
    const { pages, names } = await load([makeBeers(1, 4), unreachable, makeBeers(1, 10)])
    expect(pages).toEqual([1, 2, 1])
    expect(names).toHaveLength(10)
  })

  it('treats an empty list as a failure', async () => {
    const { failures } = await load([[], makeBeers(1, 10)])
    expect(failures[0]).toMatchObject({ error: { code: 'BEER_LIST_EMPTY' } })
  })

  it('rejects at once with what no retry mends', async () => {
    await expect(load([new TypeError('a bug')])).rejects.toThrow('a bug')
  })

  it('ends with the reason of the signal while it waits', async () => {
    const stop = new AbortController()
    const loading = loadBeerList({
      size: 1,
      client: { page: () => Promise.reject(unreachable) },
      signal: stop.signal,
      onFailure: () => stop.abort(new Error('stopping')),
    })
    await expect(loading).rejects.toThrow('stopping')
  })
})
