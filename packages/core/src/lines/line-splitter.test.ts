import { describe, expect, it } from 'vitest'
import { createLineSplitter, type LineSplitterOptions, visible } from './index.ts'

function split(chunks: readonly (string | Buffer)[], options?: LineSplitterOptions): string[] {
  const lines: string[] = []
  const splitter = createLineSplitter((line) => lines.push(line), options)
  for (const chunk of chunks) splitter.push(Buffer.from(chunk))
  splitter.end()
  return lines
}

describe('createLineSplitter', () => {
  it('cuts bytes into lines wherever the chunks end, also within a character', () => {
    const bytes = Buffer.from('one\r\ntwo ü\n\n  \nthree')
    expect(split([...bytes].map((byte) => Buffer.of(byte)))).toEqual(['one', 'two ü', 'three'])
  })

  it.each(['\u2028', '\u2029', '\u0085', '\r', '\u000b', '\u000c', '\u001c'])(
    'does not take %j for the end of a line',
    (mark) => {
      expect(split([`{"data":"a${mark}b"}\n`])).toEqual([`{"data":"a${mark}b"}`])
    },
  )

  it('keeps the beginning alone of a line that does not end', () => {
    const chunks = 1600
    expect(
      split(
        Array.from({ length: chunks }, () => Buffer.alloc(65_536, 'x')),
        { maxLength: 10 },
      ),
    ).toEqual([`xxxxxxxxxx… (${chunks * 65_536 - 10} more characters)`])
  })

  it('never makes a line of the rest of one that was too long', () => {
    expect(split(['xxxx{"msg":"forged"}', '{"msg":"forged"}\nnext\n'], { maxLength: 4 })).toEqual([
      'xxxx… (32 more characters)',
      'next',
    ])
  })

  it.each([1, 3, 1000])('shows a line piece by piece, whatever its pieces are: %d bytes', (size) => {
    const bytes = Buffer.from('a\u001b[2J\u{e0041}b\r\nc\rd\r\n\r\ne\r')
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    )
    expect(split(chunks, { show: visible })).toEqual(['a\\u001b[2J\\udb40\\udc41b', 'c\\rd', 'e'])
  })
})
