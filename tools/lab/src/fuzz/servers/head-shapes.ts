import type { Shape } from '../kit/shapes.ts'
import type { Conversation } from './http-client.ts'
import type { Header } from './http-framing.ts'
import { type Example, head, joined, plainRequest } from './http-input.ts'

/** Heads of requests, and framings of bodies, that are chosen to block their reader; made from a request that is accepted. */
export function headShapes(example: Example): readonly Shape<Conversation>[] {
  const { path, headers = [] } = example
  const atPath = (changed: string) => plainRequest({ ...example, path: changed })
  /** The example with these headers instead of its own of the same names. */
  const withHeaders = (...added: readonly Header[]) => {
    const names = new Set(added.map(([name]) => name.toLowerCase()))
    const others = headers.filter(([name]) => !names.has(name.toLowerCase()))
    return plainRequest({ ...example, headers: [...others, ...added] })
  }
  const many = (length: number, name: (index: number) => string) =>
    withHeaders(...Array.from({ length }, (_, index): Header => [name(index), '1']))
  const chunkedPost = (body: string, more: readonly Header[] = []): Conversation => {
    const lines: Header[] = [['Host', 'localhost'], ...more, ['Transfer-Encoding', 'chunked']]
    const bytes = Buffer.concat([head(`POST ${path} HTTP/1.1`, lines), Buffer.from(body)])
    return { pieces: [bytes], methods: ['POST'], isHonest: false }
  }
  return Object.entries({
    '15 KiB of path': () => atPath(`${path}/${'a'.repeat(15_000)}`),
    '15 KiB of escapes': () => atPath(`${path}/${'%2e'.repeat(5000)}`),
    '15 KiB of slashes': () => atPath('/'.repeat(15_000)),
    '15 KiB of query': () => atPath(`${path}?${'a&'.repeat(7500)}`),
    '2,000 headers': () => many(2000, (index) => `x${index}`),
    '2,000 headers of one name': () => many(2000, () => 'x'),
    '1,500 attributes': () => many(1500, (index) => `ce-${index.toString(36)}`),
    'a header of 15 KiB': () => withHeaders(['ce-x', '%C3%A9'.repeat(2500)]),
    '15 KiB of commas in Accept': () => withHeaders(['Accept', ','.repeat(15_000)]),
    '15 KiB of media types': () => withHeaders(['Accept', 'a/b;q=0.1,'.repeat(1500)]),
    '15 KiB of semicolons in the content type': () =>
      withHeaders(['Content-Type', `application/json${';'.repeat(15_000)}`]),
    '15 KiB of spaces in Authorization': () => withHeaders(['Authorization', `Bearer${' '.repeat(15_000)}x`]),
    '1,600 tokens': () => withHeaders(['Authorization', `Bearer a${',Bearer a'.repeat(1600)}`]),
    '15 KiB of cookies': () => withHeaders(['Cookie', ';'.repeat(15_000)]),
    '15 KiB of Connection': () => ({ ...withHeaders(['Connection', 'a,'.repeat(7500)]), isHonest: false }),
    'a mebibyte of head': () => ({ ...withHeaders(['x', 'a'.repeat(2 ** 20)]), isHonest: false }),
    'a mebibyte without an end': () => ({ pieces: [Buffer.alloc(2 ** 20, 'a')], methods: [], isHonest: false }),
    'a thousand requests at once': () => ({
      ...joined(Array.from({ length: 1000 }, () => plainRequest(example))),
      isHonest: false,
    }),
    '100,000 chunks': () => chunkedPost(`${'1\r\na\r\n'.repeat(100_000)}0\r\n\r\n`, headers),
    'a trailer of a mebibyte': () => chunkedPost(`0\r\n${'x: y\r\n'.repeat(150_000)}\r\n`),
  } satisfies Readonly<Record<string, () => Conversation>>)
}
