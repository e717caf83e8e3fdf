import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createLineSplitter } from './line-splitter.ts'
import { createLogOutput } from './log-output.ts'
import { parseServiceLine } from './service-line.ts'
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

describe('createLineSplitter', () => {
  it('cuts bytes into lines wherever the chunks end, also within a character', () => {
    const lines: string[] = []
    const splitter = createLineSplitter((line) => lines.push(line))
    const bytes = Buffer.from('one\r\ntwo ü\n\nthree')
    for (const byte of bytes) splitter.push(Buffer.of(byte))
    expect(lines).toEqual(['one', 'two ü'])
    splitter.end()
    expect(lines).toEqual(['one', 'two ü', 'three'])
  })
})

describe('parseServiceLine', () => {
  it("lead: a line keeps its bytes and gets the service's name", () => {
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

describe('createLogOutput', () => {
  it('lead: one JSON object a line when stdout is no terminal', () => {
    expect(written('info', false, '{"level":"info","msg":"ready"}', 'text')).toEqual([
      '{"service":"movie-api","level":"info","msg":"ready"}\n',
      expect.stringMatching(/^\{.*"msg":"text"\}\n$/),
    ])
  })

  it('lead: readable lines with the service on a terminal', () => {
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
    const output = createLogOutput({ stream, level: 'info', isTold: report.tells })
    const status = { name: 'movie-api', pid: 1, port: 4000, crashes: 0 }
    const ready = parseServiceLine('movie-api', 'stdout', '{"level":"info","msg":"movie-api ready"}')
    report.changed({ ...status, state: 'starting' })
    output.write(ready)
    report.changed({ ...status, state: 'ready' })
    expect(text.match(/movie-api/g)).toHaveLength(2)
    report.ready({ url: '', rows: [], notReady: [], healthPage: undefined, tryLines: [] })
    text = ''
    output.write(ready)
    expect(text).toContain('movie-api ready')
  })
})
