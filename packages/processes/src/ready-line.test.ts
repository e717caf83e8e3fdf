import { describe, expect, it } from 'vitest'
import { parseReadyLine } from './ready-line.ts'

describe('a ready line', () => {
  it('has a port', () => {
    expect(parseReadyLine('{"msg":"demo ready","port":65535}', 'demo')).toEqual({ msg: 'demo ready', port: 65_535 })
  })

  it.each([-1, 1.5, 65_536, '80', null])('is none with %j as port, of which no URL can be made', (port) => {
    expect(parseReadyLine(JSON.stringify({ msg: 'demo ready', port }), 'demo')).toBeUndefined()
  })
})
