import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '@taproom/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchDescription } from '../src/reload/description-watch.ts'

describe('watchDescription', () => {
  let folder: string
  let file: string
  let closing: AbortController
  let changes: number
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'description-'))
    file = join(folder, 'system.ts')
    closing = new AbortController()
    changes = 0
    await writeFile(file, '1')
    await watchDescription({
      file,
      onChange: () => (changes += 1),
      onProblem: (reason) => expect.unreachable(reason),
      signal: closing.signal,
    })
  })
  afterEach(async () => {
    closing.abort()
    await rm(folder, { recursive: true })
  })

  const noticed = (count: number) => waitFor(`change ${count}`, () => changes === count)

  it('notices a file that was written, and one that another took the place of', async () => {
    await writeFile(file, '2')
    await noticed(1)
    await writeFile(`${file}~`, '3')
    await rename(`${file}~`, file)
    await noticed(2)
  })

  it('takes neither a time, nor the same contents, nor another file, nor its absence for a change', async () => {
    await utimes(file, new Date(), new Date())
    await writeFile(file, '1')
    await writeFile(join(folder, 'other.ts'), '2')
    await rename(file, `${file}.away`)
    await rename(`${file}.away`, file)
    // The last thing that was done is the first that is noticed.
    await writeFile(file, '2')
    await noticed(1)
  })
})
