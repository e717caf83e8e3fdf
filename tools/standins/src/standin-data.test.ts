import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '@taproom/service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BEER_SHAPE } from './beer-catalogue.ts'
import { readStandinFile } from './standin-data.ts'

describe('readStandinFile', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'taproom-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const read = async (content: string) => {
    const path = join(folder, 'beers.json')
    await writeFile(path, content)
    return readStandinFile({ variable: 'BEER_STANDIN_DATA', path, record: 'beer', shape: BEER_SHAPE })
  }

  it('reads records with all their members', async () => {
    const beer = { id: 1, name: 'One', tagline: 'First', abv: 5, extra: [1] }
    expect(await read(JSON.stringify([beer]))).toEqual([beer])
  })

  it('has nothing to read when no path is set', async () => {
    const file = { variable: 'BEER_STANDIN_DATA', path: undefined, record: 'beer', shape: BEER_SHAPE }
    expect(await readStandinFile(file)).toBeUndefined()
  })

  it.each([
    ['is no JSON', '[', 'no valid JSON'],
    ['is nested too deep', `${'['.repeat(9000)}${']'.repeat(9000)}`, 'not be nested deeper than'],
    ['is no array', '{}', 'no array'],
    ['is empty', '[]', 'no array'],
    ['holds something else', '[1]', 'beer 1 is no object'],
    ['lacks a member', '[{"id":1,"name":"a","tagline":"b","abv":"5"}]', 'beer 1: "abv" is no number'],
  ])('names variable, value and expectation when the file %s', async (_case, content, problem) => {
    const error = await read(content).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ConfigError)
    const { message } = error as ConfigError
    expect(message).toContain(`BEER_STANDIN_DATA="${join(folder, 'beers.json')}"`)
    expect(message).toContain(problem)
    expect(message).toContain('expected')
  })

  it('names the file that is not there', async () => {
    const file = { variable: 'BEER_STANDIN_DATA', path: '/nowhere/beers.json', record: 'beer', shape: BEER_SHAPE }
    await expect(readStandinFile(file)).rejects.toThrow(
      `BEER_STANDIN_DATA="/nowhere/beers.json": the file can't be read (ENOENT)`,
    )
  })
})
