import { parseEnv } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import type { RemoteFilm } from './film.ts'
import { createFilmCalls } from './film-calls.ts'
import { createFilmGuard } from './film-guard.ts'
import { readFilmPolicies } from './film-policies.ts'
import { FilmServiceUnreachableError } from './film-service.ts'

const never = new AbortController().signal
const unreachable = new FilmServiceUnreachableError('no complete answer: GET http://films.example/films/3', {
  cause: new Error('connect ECONNREFUSED'),
})

function start(env: Record<string, string>, fetchFilm: (signal: AbortSignal) => Promise<RemoteFilm>) {
  const lines: [level: string, fields: object, message: string][] = []
  const write = (level: string) => (fields: object, message: string) => void lines.push([level, fields, message])
  const log = { warn: write('warn'), debug: write('debug') } as never
  const policies = parseEnv({ FILM_RETRY_DELAY_MS: '0', ...env }, readFilmPolicies)
  const guard = createFilmGuard(policies, log, never)
  const fetch = createFilmCalls({ filmService: { fetchFilm: (_id, signal) => fetchFilm(signal) }, guard, log })
  return { fetch, lines }
}

const warned = ['warn', expect.objectContaining({ film: 3 }), 'film call failed'] as const

describe('createFilmCalls', () => {
  it('logs a call that failed for good in one line with film, code and what the network said; the stack at debug level', async () => {
    const { fetch, lines } = start({ FILM_CIRCUIT_BREAKER_ENABLED: 'false' }, () => Promise.reject(unreachable))
    expect(await fetch(3, never)).toMatchObject({ episodeId: 0 })
    expect(lines).toEqual([
      [
        'warn',
        {
          film: 3,
          code: 'FILM_SERVICE_UNREACHABLE',
          reason: 'no complete answer: GET http://films.example/films/3: connect ECONNREFUSED',
        },
        'film call failed',
      ],
      ['debug', { film: 3, err: unreachable }, 'film call failed'],
    ])
  })

  it('logs it as well when there is no fallback', async () => {
    const env = { FILM_FALLBACK_ENABLED: 'false', FILM_CIRCUIT_BREAKER_ENABLED: 'false' }
    const { fetch, lines } = start(env, () => Promise.reject(unreachable))
    await expect(fetch(3, never)).rejects.toBe(unreachable)
    expect(lines).toEqual([warned, ['debug', expect.anything(), expect.anything()]])
  })

  it('reports an open circuit once, when it opens', async () => {
    const { fetch, lines } = start({}, () => Promise.reject(unreachable))
    for (let call = 0; call < 3; call += 1) await fetch(3, never)
    expect(lines.filter(([level]) => level === 'warn')).toEqual([
      ['warn', { from: 'closed', to: 'open' }, 'film service circuit changed'],
      warned,
    ])
  })

  it('logs no call that is not wanted any more', async () => {
    const caller = new AbortController()
    const { fetch, lines } = start({}, () => {
      caller.abort(new Error('gone'))
      return Promise.reject(unreachable)
    })
    await expect(fetch(3, caller.signal)).rejects.toThrow('gone')
    expect(lines).toEqual([])
  })
})
