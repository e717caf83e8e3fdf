import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'

async function outputOf(form: 'terminal' | 'json') {
  const child = spawn(process.execPath, ['--conditions=development', 'tests/logging-process.ts'], {
    env: { ...process.env, TEST_FORM: form },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { stdout, stderr }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the logger's own colours are commands to the terminal
const colours = /\u001b\[\d+m/g
/** What a terminal obeys, what ends a line for some reader, and what nobody sees. */
const hidden = /[^\P{Cc}\n]|[\u2028\u2029\u202e\u200b]/u

describe('logs of what strangers sent', () => {
  let json: { stdout: string; stderr: string }
  let terminal: { stdout: string; stderr: string }
  beforeAll(async () => {
    ;[json, terminal] = await Promise.all([outputOf('json'), outputOf('terminal')])
  })

  it.each(['stdout', 'stderr'] as const)('hide nothing in JSON lines on %s, and keep every value', (stream) => {
    expect(json[stream]).not.toMatch(hidden)
    const lines = json[stream].trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(JSON.stringify(lines.map((line) => JSON.parse(line)))).toContain('\u2028')
  })

  it.each(['stdout', 'stderr'] as const)('hide nothing on a terminal on %s', (stream) => {
    const shown = terminal[stream].replaceAll(colours, '')
    expect(shown).not.toMatch(hidden)
    expect(shown).toContain('\\u001b]0;owned\\u0007\\u009b2J\\r')
    expect(shown).toContain('\\u2028\\u2029\\u202e\\u200b\\u007f')
  })

  it('say on a terminal what a service cannot start with: problems line by line, of another error the stack', () => {
    const [problems = '', stack = ''] = terminal.stderr.split(/(?<=\n)(?=no start: )/)
    expect(problems).toMatch(/^no start:\n {2}PORT=\\u001b\]0;owned.*\n {2}HOST is missing\n$/)
    expect(stack).toMatch(/^no start: Error: \\u001b\]0;owned[\s\S]*\n +at \S+logging-process\.ts:\d+:\d+\n/)
    expect(terminal.stderr).toMatch(/\nno start: port 80 is not permitted\n$/)
  })

  it('say in JSON what a service cannot start with: problems one by one, of another error the stack', () => {
    const [config, other, listen] = json.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(config).toMatchObject({ code: 'CONFIG_INVALID', problems: [expect.any(String), 'HOST is missing'] })
    expect(other).toMatchObject({ err: { type: 'Error', stack: expect.stringContaining('logging-process.ts') } })
    expect(listen).toMatchObject({ code: 'LISTEN_FAILED', problems: ['port 80 is not permitted'] })
  })

  it('forge no line: on a terminal each begins with a time or is indented', () => {
    const begins = terminal.stdout.replaceAll(colours, '').trimEnd().split('\n')
    for (const line of begins) expect(line).toMatch(/^(\d\d:\d\d:\d\d\.\d{3} | {4}|\{"level":"info",)/)
  })
})
