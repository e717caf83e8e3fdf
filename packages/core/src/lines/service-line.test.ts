import { describe, expect, it } from 'vitest'
import { createLineSplitter, parseServiceLine } from './index.ts'

/** A line of event-platform that was cut at so many characters. */
function cut(line: object, maxLength: number) {
  const lines: string[] = []
  const splitter = createLineSplitter((text) => lines.push(text), { maxLength })
  splitter.push(Buffer.from(`${JSON.stringify(line)}\n`))
  return parseServiceLine('event-platform', 'stdout', lines[0] ?? '')
}

const HEAD = { level: 'error', time: '2026-01-02T03:04:05.678Z', service: 'aloha-sink' }

describe('parseServiceLine', () => {
  it.each([
    ['its message is cut', { ...HEAD, n: 1, msg: 'x'.repeat(999) }, { ...HEAD, n: 1, msg: /^x+… \(\d+ more/ }],
    [
      'a member before is cut',
      { ...HEAD, data: ['{,"', 'x'.repeat(999)] },
      { ...HEAD, cut: /^"data":\["\{,\\"","x+… \(\d+/ },
    ],
    ['it was cut in an escape', { ...HEAD, msg: '"'.repeat(999) }, { ...HEAD, msg: /^(?:\\")+\\?… \(\d+ more/ }],
  ])('keeps the owner, level and time of a line when %s', (_case, line, { ...expected }) => {
    for (const length of [150, 151]) {
      const { service, fields, json } = cut(line, length)
      expect(service).toBe('aloha-sink')
      expect(JSON.parse(json)).toEqual(fields)
      const matching = Object.entries(expected).map(([name, value]) => [
        name,
        value instanceof RegExp ? expect.stringMatching(value) : value,
      ])
      expect(fields).toEqual(Object.fromEntries(matching))
    }
  })

  it('gives a cut line without an owner to its process', () => {
    const { service, json } = cut({ level: 'warn', msg: 'x'.repeat(99) }, 50)
    expect(service).toBe('event-platform')
    expect(JSON.parse(json)).toMatchObject({ service: 'event-platform', level: 'warn' })
  })

  it.each([`{"msg":"${'x'.repeat(99)}"}`, `["${'x'.repeat(99)}"]`])(
    'takes what has no whole member for a text: %s',
    (text) => {
      const cutText = `${text.slice(0, 50)}… (9 more characters)`
      expect(parseServiceLine('a', 'stderr', cutText).fields).toMatchObject({
        service: 'a',
        level: 'warn',
        msg: cutText,
      })
    },
  )

  it('reads members before a string of many megabytes', () => {
    const { fields } = cut({ ...HEAD, msg: '\\'.repeat(8 * 1024 * 1024) }, 8 * 1024 * 1024)
    expect(fields['service']).toBe('aloha-sink')
  })
})
