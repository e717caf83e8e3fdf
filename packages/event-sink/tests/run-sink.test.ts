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

  it('opens a sink with code, which reads its configuration, has checks, and closes what it opened', async () => {
    await using sink = startProcess(new URL('./ledger-process.ts', import.meta.url), { LEDGER_PREFIX: 'order-' })
    const url = await sink.url()
    const post = (type: string) =>
      fetch(url, {
        method: 'POST',
        headers: { 'Ce-Id': '1', 'Ce-Specversion': '1.0', 'Ce-Type': type, 'Ce-Source': 'x' },
      })
    expect((await fetch(`${url}/q/health/ready`)).status).toBe(200)
    for (const type of ['written', 'closed']) expect((await post(type)).status).toBe(200)
    expect((await fetch(`${url}/q/health/ready`)).status).toBe(503)
    expect(await sink.stop()).toBe(0)
    expect(sink.lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['order-1', 'ledger closed']))
  })

  it('does not start without a variable that it needs, and names it', async () => {
    await using sink = startProcess(new URL('./ledger-process.ts', import.meta.url), {})
    await expect(sink.url()).rejects.toThrow('LEDGER_PREFIX')
  })
})
