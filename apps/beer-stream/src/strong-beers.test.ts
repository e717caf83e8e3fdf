import type { Beer } from '@taproom/beer'
import { describe, expect, it } from 'vitest'
import { strongBeers } from './strong-beers.ts'

const beersOf = (...abvs: number[]): Beer[] => abvs.map((abv) => ({ name: `${abv}`, tagline: '', abv }))

function list(pages: Beer[][], maxPages = 1000) {
  const asked: number[] = []
  const beers = strongBeers({
    client: { page: async (page) => pages[asked.push(page) - 1] ?? [] },
    maxPages,
    signal: new AbortController().signal,
  })
  return { asked, beers }
}

describe('strongBeers', () => {
  it('contract 4.5: gives beers above 15.0 of every page from 1 on until one is empty', async () => {
    const { asked, beers } = list([beersOf(15, 15.01, 4), beersOf(5), beersOf(55, 0)])
    expect((await Array.fromAsync(beers)).flat().map((beer) => beer.abv)).toEqual([15.01, 55])
    expect(asked).toEqual([1, 2, 3, 4])
  })

  it('fetches the next page only when it is asked for more', async () => {
    const { asked, beers } = list([beersOf(16), beersOf(17), beersOf(18)])
    await beers.next()
    expect(asked).toEqual([1])
    await beers.return(undefined)
    expect(asked).toEqual([1])
  })

  it('decisions 1.47: throws at the page cap, so that the list does not look complete', async () => {
    const { asked, beers } = list(Array(10).fill(beersOf(16)), 3)
    await expect(Array.fromAsync(beers)).rejects.toMatchObject({ code: 'BEER_PAGE_CAP' })
    expect(asked).toEqual([1, 2, 3])
  })
})
