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
})
