import { describe, expect, it } from 'vitest'
import { AnswerHeads } from './answer-head.ts'

const head = (more = '') => `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nKeep-Alive: timeout=5\r\n${more}X: y`

describe('heads of answers', () => {
  it('are read once while they stay the same', () => {
    const heads = new AnswerHeads()
    const first = heads.read(head())
    expect(heads.read(head())).toBe(first)
    const other = heads.read(head('Date: now\r\n'))
    expect(other).not.toBe(first)
    expect(other.headers['date']).toBe('now')
    expect(heads.read(head())).toEqual(first)
  })

  it('cannot be changed by one of those that get them', () => {
    const { headers } = new AnswerHeads().read(head('X: a\r\n'))
    expect(headers['x']).toEqual(['a', 'y'])
    expect(() => Object.assign(headers, { x: 'z' })).toThrow(TypeError)
    expect(() => Object.assign(headers['x'] ?? [], ['z'])).toThrow(TypeError)
  })

  it('that are long are not kept', () => {
    const heads = new AnswerHeads()
    const long = head(`Long: ${'x'.repeat(1024)}\r\n`)
    expect(heads.read(long)).not.toBe(heads.read(long))
  })

  it('say how long an idle connection is kept', () => {
    const heads = new AnswerHeads()
    expect(heads.read(head()).keepAliveSeconds).toBe(5)
    expect(heads.read('HTTP/1.1 204 No Content\r\nX: y').keepAliveSeconds).toBe(Number.POSITIVE_INFINITY)
  })
})
