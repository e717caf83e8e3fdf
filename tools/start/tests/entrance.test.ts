import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { Entrance, type EntranceOptions } from '../src/gateway/entrance.ts'

/** An entrance that is open, without a gateway. */
async function openEntrance(options: Omit<EntranceOptions, 'stop'> = {}) {
  const stopping = new AbortController()
  const entrance = new Entrance({ ...options, stop: stopping.signal })
  const { port } = await entrance.open({ host: '127.0.0.1', port: 0 })
  const ask = async (method = 'GET', body?: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method, ...(body !== undefined && { body }) })
    return response.ok ? await response.text() : response.status
  }
  return {
    entrance,
    ask,
    stop: () => stopping.abort(),
    [Symbol.asyncDispose]: () => entrance[Symbol.asyncDispose](),
  }
}

describe('Entrance', () => {
  it('decisions 3.149: answers requests of a restart by the next gateway, once that is ready', async () => {
    await using opened = await openEntrance()
    const { entrance, ask } = opened
    const first = entrance.leadTo((_req, res) => void res.end('first'))
    expect(await ask()).toBe('first')
    await entrance.hold()
    const held = [ask(), ask('POST', 'x'.repeat(100_000))]
    await first[Symbol.asyncDispose]()
    let isReady = false
    await using _second = entrance.leadTo((req, res) => void req.resume().on('end', () => res.end(`second ${isReady}`)))
    held.push(ask())
    isReady = true
    entrance.release()
    expect(await Promise.all(held)).toEqual(Array(3).fill('second true'))
  })

  it('waits until requests that came before are being answered, and for the rest of their answers', async () => {
    await using opened = await openEntrance()
    const { entrance, ask } = opened
    const steps: string[] = []
    const begun = Promise.withResolvers<() => void>()
    const end = Promise.withResolvers<() => void>()
    const first = entrance.leadTo((_req, res) => {
      begun.resolve(() => res.write('one '))
      end.resolve(() => res.end('answer'))
      res.once('close', () => steps.push('ended'))
    })
    const answer = ask()
    const begin = await begun.promise
    const holding = entrance.hold().then(() => steps.push('held'))
    steps.push('begun')
    begin()
    await holding
    const closing = first[Symbol.asyncDispose]().then(() => steps.push('closed'))
    ;(await end.promise)()
    await closing
    expect(steps).toEqual(['begun', 'held', 'ended', 'closed'])
    expect(await answer).toBe('one answer')
  })

  it('refuses what comes when too many wait', async () => {
    await using opened = await openEntrance({ maxHeld: 1 })
    await using _gateway = opened.entrance.leadTo((_req, res) => void res.end('gateway'))
    await opened.entrance.hold()
    const asked = [opened.ask(), opened.ask()]
    expect(await Promise.race(asked)).toBe(503)
    opened.entrance.release()
    expect((await Promise.all(asked)).toSorted()).toEqual([503, 'gateway'])
  })

  it('refuses what has waited too long', async () => {
    await using opened = await openEntrance({ holdMs: 50 })
    await using _gateway = opened.entrance.leadTo((_req, res) => void res.end('gateway'))
    await opened.entrance.hold()
    expect(await opened.ask()).toBe(503)
  })

  it('lets no request wait for a system that stops', async () => {
    await using opened = await openEntrance()
    await opened.entrance.hold()
    const held = opened.ask()
    await waitFor('another answer', async () => {
      opened.stop()
      return (await opened.ask()) === 503
    })
    expect(await held).toBe(503)
    await opened.entrance.hold()
    expect(await opened.ask()).toBe(503)
  })

  it('closes the port with the gateway of a system that stops', async () => {
    await using opened = await openEntrance()
    const last = opened.entrance.leadTo((_req, res) => void res.end('last'))
    opened.stop()
    expect(await opened.ask()).toBe('last')
    await last[Symbol.asyncDispose]()
    await expect(opened.ask()).rejects.toThrow()
  })
})
