import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Runs the demo service; `line(msg)` waits for its log line of that message. */
function run(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--conditions=development', 'tests/demo-process.ts'], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const lines: Record<string, unknown>[] = []
  const stdout = createInterface({ input: child.stdout })
  stdout.on('line', (line) => lines.push(JSON.parse(line)))
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const exit = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr, lines }))

  async function line(msg: string): Promise<Record<string, unknown>> {
    for (;;) {
      const found = lines.find((candidate) => candidate['msg'] === msg)
      if (found) return found
      await once(stdout, 'line', { signal: AbortSignal.timeout(30_000) })
    }
  }
  return { child, exit, line }
}

describe('a service', () => {
  it('exits 1 with one line that has every configuration problem', async () => {
    const { code, stderr, lines } = await run({ PORT: 'abc', LOG_LEVEL: 'loud' }).exit
    expect(code).toBe(1)
    expect(lines).toEqual([])
    expect(JSON.parse(stderr)).toMatchObject({
      level: 'fatal',
      msg: 'demo failed to start',
      problems: ['PORT="abc": expected a whole number from 0 to 65535', expect.stringContaining('LOG_LEVEL="loud"')],
    })
  })

  it('exits 1 with one line when its port is in use', async () => {
    const first = run({})
    const { port } = await first.line('demo ready')
    const { code, stderr } = await run({ PORT: String(port) }).exit
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ problems: [expect.stringContaining(`port ${port} is in use`)] })
  })

  it('decisions 3.23: logs one JSON object a line and no secrets', async () => {
    const { line } = run({})
    expect(await line('demo ready')).toMatchObject({ level: 'info', service: 'demo', token: '[redacted]' })
  })

  it('has written what it logged, even when it is killed in the next moment', async () => {
    const { line, exit } = run({})
    const { port } = await line('demo ready')
    await expect(fetch(`http://127.0.0.1:${port}/killed`)).rejects.toThrow()
    const { lines } = await exit
    expect(lines.flatMap(({ msg, i }) => (msg === 'written' ? [i] : []))).toEqual([0, 1, 2, 3, 4])
  })

  it('decisions 1.75: exits 0 at once on SIGTERM when nothing is in flight', async () => {
    const { child, line, exit } = run({ SHUTDOWN_GRACE_MS: '60000' })
    await line('demo ready')
    child.kill('SIGTERM')
    expect(await exit).toMatchObject({ code: 0 })
  })

  it('lets a request in flight finish before it exits 0', async () => {
    const { child, line, exit } = run({})
    const { port } = await line('demo ready')
    const slow = await fetch(`http://127.0.0.1:${port}/slow`)
    child.kill('SIGTERM')
    expect(await slow.text()).toBe('done')
    expect(await exit).toMatchObject({ code: 0 })
  })

  it('decisions 1.75: ends what still hangs within the grace and exits 0', async () => {
    const { child, line, exit } = run({ SHUTDOWN_GRACE_MS: '5000' })
    const { port } = await line('demo ready')
    const hanging = await fetch(`http://127.0.0.1:${port}/hang`)
    child.kill('SIGTERM')
    expect(await exit).toMatchObject({ code: 0 })
    await expect(hanging.text()).rejects.toThrow()
  })

  it('exits 1 when closing takes longer than the grace', async () => {
    const { child, line, exit } = run({ SHUTDOWN_GRACE_MS: '200', DEMO_CLOSE_MS: '60000' })
    await line('demo ready')
    child.kill('SIGTERM')
    const { code, lines } = await exit
    expect(code).toBe(1)
    expect(lines.at(-1)).toMatchObject({ level: 'error', msg: 'not stopped within the grace' })
  })

  it('exits 1 on a second signal', async () => {
    const { child, line, exit } = run({})
    const { port } = await line('demo ready')
    const hanging = await fetch(`http://127.0.0.1:${port}/hang`)
    child.kill('SIGTERM')
    await line('stopping')
    child.kill('SIGINT')
    expect(await exit).toMatchObject({ code: 1 })
    await expect(hanging.text()).rejects.toThrow()
  })

  it('exits 1 with one line on an exception that nobody caught', async () => {
    const { line, exit } = run({})
    const { port } = await line('demo ready')
    await expect(fetch(`http://127.0.0.1:${port}/throw`)).rejects.toThrow()
    const { code, stderr } = await exit
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ msg: 'uncaught exception', err: { message: 'nobody listens' } })
  })
})
