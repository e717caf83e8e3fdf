import { describe, expect, it } from 'vitest'
import { problemOf, TITLES, wasIdle } from './film-clients.ts'
import { type FilmRun, findingsOf, type HeldSize } from './film-findings.ts'

const size = (overrides: Partial<HeldSize> = {}): HeldSize => ({
  residentMiB: 200,
  heapMiB: 30,
  sockets: 300,
  handles: 320,
  ...overrides,
})

function run(sizes: readonly HeldSize[], overrides: Partial<FilmRun> = {}, outcomes: [string, number][] = []): FilmRun {
  const figures = {
    requests: 1,
    outcomes: new Map<string, number>([['200', 10], ['gave up', 1], ...outcomes]),
    timesMs: [],
    wrong: [],
  }
  const idle = size({ sockets: 5, handles: 28 })
  return {
    stretchMs: 60_000,
    stretches: sizes.map((each) => ({ figures, size: each })),
    idle: { before: idle, after: idle },
    exitCode: 0,
    ...overrides,
  }
}

describe('findingsOf', () => {
  it('finds nothing where the service warms up and then stays as it is', () => {
    expect(findingsOf(run([size({ heapMiB: 10, sockets: 20 }), size(), size({ heapMiB: 35, sockets: 330 })]))).toEqual(
      [],
    )
  })

  it('does not speak of growth after a moment', () => {
    expect(findingsOf(run([size(), size(), size({ sockets: 500 })], { stretchMs: 800 }))).toEqual([])
  })

  it.each<[string, FilmRun]>([
    ['heapMiB grew', run([size(), size(), size({ heapMiB: 60 })])],
    ['residentMiB grew', run([size(), size(), size({ residentMiB: 300 })])],
    ['sockets grew', run([size(), size(), size({ sockets: 500 })])],
    ['4 requests: hung', run([size(), size(), size()], {}, [['hung', 4]])],
    ['4 requests: 502', run([size(), size(), size()], {}, [['502', 4]])],
    ['sockets are open', run([size()], { idle: { before: size({ sockets: 5 }), after: size({ sockets: 50 }) } })],
    ['handles are open', run([size()], { idle: { before: size({ handles: 5 }), after: size({ handles: 50 }) } })],
    ['heap are in use', run([size()], { idle: { before: size({ heapMiB: 20 }), after: size({ heapMiB: 60 }) } })],
    ['ended with 1', run([size()], { exitCode: 1 })],
  ])('%s', (finding, broken) => {
    expect(findingsOf(broken).join()).toContain(finding)
  })
})

describe('problemOf', () => {
  const none = { episodeId: 0, director: '', producer: '', opening_crawl: '' }
  const whole = { episodeId: 11, director: 'Director 1', producer: 'Producer 1', opening_crawl: 'Text 1' }
  const films = (first: object) =>
    JSON.stringify(TITLES.map((title, index) => ({ title, ...none, ...(index === 0 ? first : {}) })))

  it('accepts a film with all remote fields or with none, and nothing between', () => {
    expect(problemOf(films(none))).toBeUndefined()
    expect(problemOf(films(whole))).toBeUndefined()
    expect(problemOf(films({ ...whole, director: '' }))).toContain('half a film')
    expect(problemOf(films({ ...whole, episodeId: 12 }))).toContain('half a film')
    expect(problemOf('[]')).toContain('other films')
  })
})

describe('a request without an answer is no finding', () => {
  const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })

  it.each<[string, boolean, unknown, boolean, number]>([
    ['on a connection that was idle for as long as one is kept', true, reset, true, 5000],
    ['on one that was used sooner', false, reset, true, 4999],
    ['on a new one', false, reset, false, 5000],
    ['for another reason', false, new Error('refused'), true, 5000],
  ])('%s: %s', (_, expected, error, reusedSocket, keptMs) => {
    expect(wasIdle(error, { reusedSocket, res: null }, keptMs)).toBe(expected)
  })
})
