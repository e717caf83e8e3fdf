import { bundled, startProcess } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { withRemote } from './expected-films.ts'
import { startFilmRemote } from './film-remote.ts'
import { temporaryFolder } from './movie-system.ts'

const main = await bundled(new URL('../src/main.ts', import.meta.url))

describe('the process', () => {
  it('starts alone, answers, and ends with 0 on SIGTERM', async () => {
    await using folder = await temporaryFolder()
    await using remote = await startFilmRemote()
    await using service = startProcess(main, {
      DATABASE_URL: `sqlite:${folder.path}/films.sqlite`,
      FILM_SERVICE_URL: remote.url,
    })
    const response = await fetch(`${await service.url()}/movie`)
    expect(await response.json()).toEqual(withRemote)
    expect(await service.stop()).toBe(0)
    for (const line of service.lines) expect(line).toHaveProperty('msg')
  })
})
