import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startProcess } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const main = new URL('./sink-process.ts', import.meta.url)

describe('runSink', () => {
  it('ends with exit code 1 and one line that names every invalid variable', async () => {
    await using sink = startProcess(main, { PORT: 'http', SHUTDOWN_GRACE_MS: 'soon' })
    expect(await sink.end()).toBe(1)
    expect(sink.errors).toHaveLength(1)
    expect(sink.errors[0]).toMatch(/demo-sink failed to start.*"PORT\b/)
    expect(sink.errors[0]).toContain('SHUTDOWN_GRACE_MS')
  })

  it('ends with exit code 1 and one line that names the port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    await using sink = startProcess(main, { PORT: String((other.address() as AddressInfo).port) })
    expect(await sink.end()).toBe(1)
    expect(sink.errors).toEqual([expect.stringMatching(/port \d+ is in use.*PORT/)])
    other.close()
  })
})
