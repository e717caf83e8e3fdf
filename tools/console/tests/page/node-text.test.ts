import { describe, expect, it } from 'vitest'
import { linesOf } from '../../page/overview/node-text.ts'

describe('the name in a node of the picture', () => {
  it.each([
    ['movie-api', 9, ['movie-api']],
    ['event-platform', 9, ['event-', 'platform']],
    ['eventingaloha', 9, ['eventinga', 'loha']],
    ['eventingaloha', 5, ['event', '…oha']],
    ['eventingbonjour', 5, ['event', '…our']],
    ['price-generator', 7, ['price-', '…rator']],
  ])('%s with %d letters a line is %j', (name, most, lines) => {
    expect(linesOf(name, most)).toEqual(lines)
  })
})
