import type { Shape } from '../kit/shapes.ts'
import type { Conversation } from './http-client.ts'
import type { Header } from './http-framing.ts'
import { type Example, head, plainRequest } from './http-input.ts'

export const HEAD_SHAPES: readonly Shape<(example: Example) => Conversation>[] = [
  {
    name: '15 KiB of path',
    make: () => (example) => plainRequest({ ...example, path: `${example.path}/${'a'.repeat(15_000)}` }),
  },
  {
    name: '15 KiB of escapes',
    make: () => (example) => plainRequest({ ...example, path: `${example.path}/${'%2e'.repeat(5000)}` }),
  },
  { name: '15 KiB of slashes', make: () => (example) => plainRequest({ ...example, path: '/'.repeat(15_000) }) },
  {
    name: '15 KiB of query',
    make: () => (example) => plainRequest({ ...example, path: `${example.path}?${'a&'.repeat(7500)}` }),
  },
  {
    name: '2,000 headers',
    make: () => (example) =>
      withHeaders(
        example,
        Array.from({ length: 2000 }, (_, index): Header => [`x${index}`, '1']),
      ),
  },
  {
    name: '2,000 headers of one name',
    make: () => (example) =>
      withHeaders(
        example,
        Array.from({ length: 2000 }, (): Header => ['x', '1']),
      ),
  },
  {
    name: '1,500 attributes',
    make: () => (example) =>
      withHeaders(
        example,
        Array.from({ length: 1500 }, (_, index): Header => [`ce-${index.toString(36)}`, '1']),
      ),
  },
  { name: 'a header of 15 KiB', make: () => (example) => withHeaders(example, [['ce-x', '%C3%A9'.repeat(2500)]]) },
  {
    name: '15 KiB of commas in Accept',
    make: () => (example) => withHeaders(example, [['Accept', ','.repeat(15_000)]]),
  },
  {
    name: '15 KiB of media types',
    make: () => (example) => withHeaders(example, [['Accept', 'a/b;q=0.1,'.repeat(1500)]]),
  },
  {
    name: '15 KiB of semicolons in the content type',
    make: () => (example) => withHeaders(example, [['Content-Type', `application/json${';'.repeat(15_000)}`]]),
  },
  {
    name: '15 KiB of spaces in Authorization',
    make: () => (example) => withHeaders(example, [['Authorization', `Bearer${' '.repeat(15_000)}x`]]),
  },
  {
    name: '5,000 tokens',
    make: () => (example) => withHeaders(example, [['Authorization', `Bearer a${',Bearer a'.repeat(1600)}`]]),
  },
  { name: '15 KiB of cookies', make: () => (example) => withHeaders(example, [['Cookie', ';'.repeat(15_000)]]) },
  {
    name: '15 KiB of Connection',
    make: () => (example) => ({ ...withHeaders(example, [['Connection', 'a,'.repeat(7500)]]), isHonest: false }),
  },
  {
    name: 'a mebibyte of head',
    make: () => (example) => ({ ...withHeaders(example, [['x', 'a'.repeat(2 ** 20)]]), isHonest: false }),
  },
  {
    name: 'a mebibyte without an end',
    make: () => () => ({ pieces: [Buffer.alloc(2 ** 20, 'a')], methods: [], isHonest: false }),
  },
  {
    name: 'a thousand requests at once',
    make: () => (example) => ({
      pieces: [Buffer.concat(Array.from({ length: 1000 }, () => plainRequest(example).pieces[0] ?? Buffer.alloc(0)))],
      methods: Array.from({ length: 1000 }, () => example.method),
      isHonest: false,
    }),
  },
  {
    name: '100,000 chunks',
    make: () => (example) => chunkedPost(example, `${'1\r\na\r\n'.repeat(100_000)}0\r\n\r\n`, example.headers),
  },
  {
    name: 'a trailer of a mebibyte',
    make: () => (example) => chunkedPost(example, `0\r\n${'x: y\r\n'.repeat(150_000)}\r\n`),
  },
]

function chunkedPost({ path }: Example, body: string, headers: readonly Header[] = []): Conversation {
  const lines: Header[] = [['Host', 'localhost'], ...headers, ['Transfer-Encoding', 'chunked']]
  const pieces = [Buffer.concat([head(`POST ${path} HTTP/1.1`, lines), Buffer.from(body)])]
  return { pieces, methods: ['POST'], isHonest: false }
}

function withHeaders(example: Example, headers: readonly Header[]): Conversation {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const others = (example.headers ?? []).filter(([name]) => !names.has(name.toLowerCase()))
  return plainRequest({ ...example, headers: [...others, ...headers] })
}
