import { startProcess, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const main = new URL('./sink-process.ts', import.meta.url)

describe('runSink', () => {
  it('logs an event that is posted to it, and exits 0 on SIGTERM', async () => {
    await using sink = startProcess(main, {})
    const response = await fetch(await sink.url(), {
      method: 'POST',
      headers: {
        'Ce-Id': 'say-hello',
        'Ce-Specversion': '1.0',
        'Ce-Type': 'aloha',
        'Ce-Source': 'mycurl',
        'Content-Type': 'application/json',
      },
      body: '{"key":"from a curl"}',
    })
    expect(response.status).toBe(200)
    await waitFor('the event in the log', () => sink.lines.length > 1)
    expect(sink.lines).toMatchObject([
      { level: 'info', service: 'demo-sink', sink: 'eventingdemo', msg: 'demo-sink ready' },
      {
        sink: 'eventingdemo',
        msg: 'event received',
        event: { id: 'say-hello', type: 'aloha', source: 'mycurl', data: { key: 'from a curl' } },
      },
    ])
    expect(await sink.stop()).toBe(0)
  })
})
