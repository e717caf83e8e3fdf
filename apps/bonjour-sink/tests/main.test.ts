import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'

type Line = Readonly<Record<string, unknown>>

/** The sink as a process of its own; `next` is its next log line. */
function startMain(env: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, ['--conditions=development', 'src/main.ts'], {
    env: { ...process.env, HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const lines = (stream: ChildProcess['stdout']) => {
    if (stream === null) throw new Error('not piped')
    const iterator = createInterface({ input: stream })[Symbol.asyncIterator]()
    return async () => JSON.parse(String((await iterator.next()).value)) as Line
  }
  return {
    next: lines(child.stdout),
    nextError: lines(child.stderr),
    kill: () => child.kill('SIGTERM'),
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

describe('bonjour-sink', () => {
  it('logs an event that is posted to it, and exits 0 on SIGTERM', async () => {
    await using sink = startMain({ PORT: '0' })
    const ready = await sink.next()
    expect(ready).toMatchObject({
      level: 'info',
      service: 'bonjour-sink',
      sink: 'eventingbonjour',
      msg: 'bonjour-sink ready',
    })

    const response = await fetch(`http://127.0.0.1:${ready['port']}/`, {
      method: 'POST',
      headers: {
        'Ce-Id': 'say-hello',
        'Ce-Specversion': '1.0',
        'Ce-Type': 'bonjour',
        'Ce-Source': 'mycurl',
        'Content-Type': 'application/json',
      },
      body: '{"key":"from a curl"}',
    })
    expect(response.status).toBe(200)
    expect(await sink.next()).toMatchObject({
      sink: 'eventingbonjour',
      msg: 'event received',
      event: { id: 'say-hello', type: 'bonjour', source: 'mycurl', data: { key: 'from a curl' } },
    })

    sink.kill()
    expect(await sink.exited).toBe(0)
  })

  it('ends with exit code 1 and one line that names the variable: an invalid port, a port in use', async () => {
    await using invalid = startMain({ PORT: 'http', SHUTDOWN_GRACE_MS: 'soon' })
    const line = JSON.stringify(await invalid.nextError())
    expect(line).toContain('PORT')
    expect(line).toContain('SHUTDOWN_GRACE_MS')
    expect(await invalid.exited).toBe(1)

    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    await using inUse = startMain({ PORT: String((other.address() as AddressInfo).port) })
    expect(JSON.stringify(await inUse.nextError())).toMatch(/port \d+ is in use.*PORT/)
    expect(await inUse.exited).toBe(1)
    other.close()
  })
})
