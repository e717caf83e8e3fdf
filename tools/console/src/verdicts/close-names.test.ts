import { describe, expect, it } from 'vitest'
import { closeName, closeNames } from './close-names.ts'

describe('closeName', () => {
  it.each([
    ['defualt', ['default', 'other'], 'default'],
    ['Type', ['type', 'source'], 'type'],
    ['greting', ['greeting', 'goodbye'], 'greeting'],
    ['tpye', ['source', 'type'], 'type'],
    ['default', ['default', 'defaults'], undefined],
    ['beer', ['greeting'], undefined],
    ['x'.repeat(201), ['x'.repeat(200)], undefined],
  ])('of %s among %j is %s', (name, known, close) => {
    expect(closeName(name, known)).toBe(close)
  })

  it('has several, the closest first', () => {
    expect(closeNames('alohaa', ['bonjour', 'aloha', 'alohas', 'aloe'])).toEqual(['aloha', 'alohas'])
  })
})
