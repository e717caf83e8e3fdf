import { describe, expect, it } from 'vitest'
import { beerListFormat } from './beer-list-format.ts'

const ale = { name: 'Ale', tagline: 'A.', abv: 16 }
const bock = { name: 'Bock', tagline: 'B.', abv: 17.5 }
const formatFor = (accepted: string | false) => beerListFormat({ accepts: (() => accepted) as never })

describe('beerListFormat', () => {
  it('makes pages of beers one JSON array', () => {
    const format = formatFor('application/json')
    const text = format.page([ale, bock], true) + format.page([ale], false) + format.end(false)
    expect(JSON.parse(text)).toEqual([ale, bock, ale])
    expect(format.end(true)).toBe('[]')
  })

  it('makes pages of beers lines of JSON', () => {
    const format = formatFor('application/x-ndjson')
    const text = format.page([ale, bock], true) + format.page([ale], false) + format.end(false)
    expect(
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toEqual([ale, bock, ale])
    expect(text.endsWith('\n')).toBe(true)
    expect(format.end(true)).toBe('')
  })

  it('is JSON for a client that accepts neither', () => {
    expect(formatFor(false)).toBe(formatFor('application/json'))
  })
})
