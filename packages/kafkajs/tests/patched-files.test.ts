import { access, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../../', import.meta.url)

/** The table of the README: each file that the patch changes, and its test. */
async function documented() {
  const readme = await readFile(new URL('packages/kafkajs/README.md', ROOT), 'utf8')
  const rows = readme.matchAll(/^\| `((?:src|types)\/\S+)` +\| .*\| (.*?) +\|$/gm)
  return [...rows].map(([, file = '', test = '']) => ({ file, test }))
}

describe('the table of changed files', () => {
  it('has each file of the patch, and no other', async () => {
    const patch = await readFile(new URL('patches/kafkajs.patch', ROOT), 'utf8')
    const changed = [...patch.matchAll(/^diff --git a\/(\S+) /gm)].map(([, file]) => file)
    expect((await documented()).map(({ file }) => file)).toEqual(changed)
  })

  it('names tests that are there', async () => {
    const tests = (await documented()).flatMap(({ test }) => /^`(\S+\.test\.ts)`$/.exec(test)?.[1] ?? [])
    expect(tests.length).toBeGreaterThan(15)
    for (const test of tests) await access(new URL(`packages/${test}`, ROOT))
  })
})
