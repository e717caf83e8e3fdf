import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { curlLine } from './curl-line.ts'

/** The arguments that a shell passes to curl. */
function words(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`
  return execFileSync('bash', ['--norc', '-c', script]).toString().split('\0').slice(0, -1)
}

const URL_OF = 'http://localhost:8080/movie?year=1980'

describe('curlLine', () => {
  it('is short for what is usual', () => {
    const request = { method: 'GET', path: '/', headers: {} }
    expect(curlLine(URL_OF, request)).toBe(`curl -i '${URL_OF}'`)
    expect(curlLine(URL_OF, request, true)).toBe(`curl -N '${URL_OF}'`)
    expect(curlLine(URL_OF, { ...request, method: 'HEAD' })).toBe(`curl -i -I '${URL_OF}'`)
    expect(curlLine(URL_OF, { ...request, method: 'POST', body: Buffer.from('{}') })).toBe(
      `curl -i '${URL_OF}' --data-raw '{}'`,
    )
  })

  it.each([
    'a b',
    "it's",
    '$(touch /tmp/x) `id` $HOME !! \\',
    '";&|<>#*?~',
    '@/etc/passwd',
    "two\nlines and \t a tab, \x1b[31mred\x07, it's \\n",
    'Düvel 🍺 \u2028',
  ])('gives a shell exactly %j', (text) => {
    const line = curlLine(URL_OF, { method: 'PUT', path: '/', headers: { 'X-A': text }, body: Buffer.from(text) })
    expect(words(line)).toEqual(['-i', '-X', 'PUT', URL_OF, '-H', `X-A: ${text}`, '--data-raw', text])
    // Nothing that a terminal would act on when it is pasted.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(line).not.toMatch(/[\x00-\x1f\x7f]/)
  })

  it('sends an empty header, which curl would leave out', () => {
    const line = curlLine(URL_OF, { method: 'GET', path: '/', headers: { Accept: '' } })
    expect(words(line)).toEqual(['-i', URL_OF, '-H', 'Accept;'])
  })
})
