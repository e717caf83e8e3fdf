import type { Logger } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { createFilmGuard } from './film-guard.ts'
import { FilmServiceUnreachableError } from './film-service.ts'

describe('createFilmGuard', () => {
  it('tells a call that failed for good in one line, with what the network said and without a stack', async () => {
    const lines: unknown[] = []
    const log = { warn: (...line: unknown[]) => lines.push(line), debug: () => {} } as unknown as Logger
    const { filmService } = readConfig({
      FILM_RETRY_MAX_RETRIES: '1',
      FILM_RETRY_DELAY_MS: '1',
      DATABASE_URL: 'sqlite:films.sqlite',
      FILM_SERVICE_URL: 'http://films.example',
    })
    const guard = createFilmGuard(filmService, log, new AbortController().signal)
    const cause = new Error('connect ECONNREFUSED')
    await guard.execute(() => {
      throw new FilmServiceUnreachableError('no complete answer: GET http://films.example/films/1', { cause })
    })
    const reason = 'no complete answer: GET http://films.example/films/1: connect ECONNREFUSED'
    expect(lines).toEqual([[{ reason }, 'film service retries exhausted']])
  })
})
