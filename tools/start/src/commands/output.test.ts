import { stripVTControlCharacters } from 'node:util'
import { parseServiceLine } from '@taproom/core/lines'
import { describe, expect, it } from 'vitest'
import { createLogOutput } from '../output/log-output.ts'
import { StartError } from '../supervisor/start-error.ts'
import { createStartReport } from './start-report.ts'

function written(level: 'info' | 'warn' | 'silent', isTTY: boolean, ...lines: string[]): string[] {
  const texts: string[] = []
  const output = createLogOutput({
    level,
    stream: { isTTY, write: (text) => texts.push(stripVTControlCharacters(text)) },
  })
  for (const line of lines) output.write(parseServiceLine('movie-api', 'stdout', line))
  return texts
}

describe('parseServiceLine', () => {
  it("decisions 3.23: a line keeps its bytes and gets the service's name", () => {
    const { json, service } = parseServiceLine('beer-stream', 'stdout', '{"level":"info","price":12.50}')
    expect(service).toBe('beer-stream')
    expect(json).toBe('{"service":"beer-stream","level":"info","price":12.50}')
  })

  it('leaves a name that the line has itself', () => {
    const raw = '{"service":"aloha-sink","msg":"event received"}'
    expect(parseServiceLine('event-platform', 'stdout', raw)).toMatchObject({ service: 'aloha-sink', json: raw })
  })

  it.each(['{broken', 'a warning of Node', '[1]', '{}'])('makes one JSON object with a service of %s', (raw) => {
    const { json } = parseServiceLine('movie-api', 'stderr', raw)
    expect(JSON.parse(json)).toMatchObject({ service: 'movie-api' })
  })
})

describe('what strangers can have services write', () => {
  const nasty = '\u001b]0;owned\u0007\u009b2J\r\n{"level":"fatal"}\u2028\u2029\u202e\u200b\u007f'
  const hidden = /[^\P{Cc}\n]|[\u2028\u2029\u202e\u200b]/u
  const lines = [
    JSON.stringify({ level: 'info', service: nasty, msg: nasty, [nasty]: { [nasty]: nasty } }),
    JSON.stringify({ level: 'info', msg: 'm', [nasty]: nasty }),
    `a text ${nasty}`,
    `{"no JSON ${nasty}`,
  ]

  it.each([true, false])('stays on its line and does nothing to a terminal (is one: %s)', (isTTY) => {
    const texts: string[] = []
    const output = createLogOutput({ level: 'info', stream: { isTTY, write: (text) => texts.push(text) } })
    for (const line of lines) output.write(parseServiceLine('movie-api', 'stdout', line))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of these lines, and nothing else, are commands
    const shown = texts.map((text) => text.replaceAll(/\u001b\[\d+m/g, ''))
    for (const text of shown) {
      expect(text).not.toMatch(hidden)
      expect(text.split('\n')).toHaveLength(2)
    }
    if (!isTTY) expect(shown.map((text) => JSON.parse(text))).toHaveLength(lines.length)
  })

  it.each([true, false])('may be nested as deep as it wants (on a terminal: %s)', (isTTY) => {
    const deep = `{"level":"info","data":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    expect(written('info', isTTY, deep)).toEqual([expect.stringContaining('[[[')])
  })
})

describe('createStartReport', () => {
  it('shows what a problem hides, and indents what is more than one line of it', () => {
    let text = ''
    const report = createStartReport({ stream: { write: (more) => (text += more) } })
    const problems = ['PORT="\u001b[2J\u202e"\nforged']
    report.failed(new StartError([{ service: 'movie-api', problems }]))
    expect(text).toBe('pnpm start failed:\n  PORT="\\u001b[2J\\u202e"\n    forged (movie-api)\n')
  })

  it('shows what the state folder hides in the lines to try', () => {
    let text = ''
    const report = createStartReport({ stream: { write: (more) => (text += more) } })
    report.ready({
      url: 'u',
      rows: [],
      down: ['\u0007'],
      debuggers: [],
      console: undefined,
      healthPage: undefined,
      tryLines: ["X='\u001b]0;t\u0007'"],
    })
    expect(text).toContain("X='\\u001b]0;t\\u0007'")
    expect(text).toContain('not ready: \\u0007;')
  })

  it('names the key of the console where it is heard, and is ready until it stops', () => {
    let text = ''
    const report = createStartReport({ stream: { write: (more) => (text += more) } })
    const summary = { url: 'u', rows: [], down: [], debuggers: [], healthPage: undefined, tryLines: [], console: 'c' }
    expect(report.isReady).toBe(false)
    report.ready(summary)
    expect(text).not.toContain('and Enter')
    report.ready({ ...summary, hasKey: true })
    expect(text).toContain('c (c and Enter opens it)')
    expect(report.isReady).toBe(true)
    report.startingAgain()
    expect(report.isReady).toBe(false)
    report.ready(summary)
    report.stopping()
    expect(report.isReady).toBe(false)
  })
})

describe('createLogOutput', () => {
  it('decisions 3.23: one JSON object a line when stdout is no terminal', () => {
    expect(written('info', false, '{"level":"info","msg":"ready"}', 'text')).toEqual([
      '{"service":"movie-api","level":"info","msg":"ready"}\n',
      expect.stringMatching(/^\{.*"msg":"text"\}\n$/),
    ])
  })

  it('decisions 3.23: readable lines with the service on a terminal', () => {
    const line =
      '{"level":"warn","time":"2026-01-02T03:04:05.678Z","ms":5,"msg":"slow","err":{"message":"late","stack":"x"}}'
    expect(written('info', true, line)).toEqual(['03:04:05.678 movie-api        warn  slow ms=5 err="late"\n'])
  })

  it('leaves out what is less severe than the level', () => {
    expect(
      written('warn', false, '{"level":"info","msg":"a"}', '{"level":"error","msg":"b"}', '{"level":30}'),
    ).toHaveLength(1)
    expect(written('silent', false, '{"level":"fatal","msg":"b"}')).toEqual([])
  })

  it('announces a service once on a terminal: the report does, not the line of the service', () => {
    let text = ''
    const stream = { isTTY: true, write: (more: string) => (text += stripVTControlCharacters(more)) }
    const report = createStartReport({ stream, now: () => 0 })
    const output = createLogOutput({ stream, level: 'info', isShown: report.shows })
    const status = { name: 'movie-api', pid: 1, port: 4000, crashes: 0, restarts: 0, startedAt: 0 }
    const ready = parseServiceLine('movie-api', 'stdout', '{"level":"info","msg":"movie-api ready"}')
    report.changed({ ...status, state: 'starting' })
    output.write(ready)
    report.changed({ ...status, state: 'ready' })
    expect(text.match(/movie-api/g)).toHaveLength(2)
    report.ready({
      url: '',
      rows: [],
      down: [],
      debuggers: [],
      console: undefined,
      healthPage: undefined,
      tryLines: [],
    })
    text = ''
    output.write(ready)
    expect(text).toContain('movie-api ready')
  })
})
