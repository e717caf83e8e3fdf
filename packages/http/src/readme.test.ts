import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { PROXY_STATUSES } from './errors.ts'

describe('the README', () => {
  it('lists each error code with its status', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const rows = [...readme.matchAll(/^\| `(PROXY_\w+)` *\| (\d+) /gm)].map(([, code, status]) => [
      code,
      Number(status),
    ])
    expect(rows).toEqual(Object.entries(PROXY_STATUSES))
  })

  it("lists each code of the client's errors, and no other", async () => {
    const [readme, source] = await Promise.all(
      ['../README.md', './client/http-client-error.ts'].map((path) => readFile(new URL(path, import.meta.url), 'utf8')),
    )
    const listed = [...(readme ?? '').matchAll(/^\| `(HTTP_\w+)`/gm)].map(([, code]) => code)
    const declared = [...(source ?? '').matchAll(/^ {2}\| '(HTTP_\w+)'/gm)].map(([, code]) => code)
    expect(listed).toEqual(declared)
    expect(listed).toHaveLength(8)
  })
})
