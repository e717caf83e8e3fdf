import { describe, expect, it } from 'vitest'
import { createRandom } from '../src/events/random.ts'
import { runFilms } from '../src/films/films-run.ts'

describe('movie-api while its remote flaps', () => {
  it('lead: nothing hangs, breaks or stays open under many requests at a time, some of which give up', async () => {
    const lines: string[] = []
    const { findings } = await runFilms({
      durationMs: 2400,
      clients: 40,
      random: createRandom(7).next,
      signal: new AbortController().signal,
      write: (line) => lines.push(line),
    })
    expect(findings).toEqual([])
    expect(lines.join('\n')).toMatch(/\(.*200 \d{2,}.*\), p99 \d+ ms, RSS \d+ MiB/)
    expect(lines.join('\n')).toMatch(/gave up [1-9].*\n(.*\n)*the remote answered: .*hang [1-9]/)
  }, 60_000)
})
