import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { crowdMark, startHttpServer, startSseCrowd, waitFor } from '../src/index.ts'

/** A server of event streams that writes what a test wants. */
async function startStreams() {
  const streams: ServerResponse[] = []
  const server = await startHttpServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    streams.push(res)
  })
  const event = (number: number) => `data: {"name":"${crowdMark(number)}"}\n\n`
  return Object.assign(server, {
    streams,
    event,
    send: (...numbers: number[]) => {
      for (const stream of streams) for (const number of numbers) stream.write(event(number))
    },
  })
}

describe('startSseCrowd', () => {
  it('counts what its clients get, from reset on, and how late it was', async () => {
    await using server = await startStreams()
    await using crowd = startSseCrowd()
    await crowd.open(server.url, 250)
    expect(server.streams).toHaveLength(250)
    server.send(0)
    await crowd.reach(250)
    await crowd.reset()
    server.send(1, 2)
    await crowd.reach(500)
    const { lagMs, ...counts } = await crowd.report()
    expect(counts).toEqual({ events: 500, outOfOrder: 0, closed: 0, reading: 250, lowestNext: 3 })
    expect(lagMs.reduce((sum, [, events]) => sum + events, 0)).toBe(500)
  })

  it('finds a gap, an event that came twice, one that was cut in two, and a stream that ended', async () => {
    await using server = await startStreams()
    await using crowd = startSseCrowd()
    await crowd.open(server.url, 3)
    const [gap, twice, cut] = server.streams
    const text = server.event(1)
    gap?.write(server.event(0) + server.event(2))
    twice?.write(server.event(0) + server.event(0))
    cut?.write(server.event(0) + text.slice(0, 20))
    await crowd.reach(5)
    cut?.end(text.slice(20))
    await crowd.reach(6)
    expect(await crowd.report()).toMatchObject({ events: 6, outOfOrder: 2, lowestNext: 1, closed: 0 })
    gap?.destroy()
    await waitFor('a closed connection', async () => (await crowd.report()).closed === 1)
  })

  it('has clients that never read, and lets all leave', async () => {
    await using server = await startStreams()
    await using crowd = startSseCrowd()
    await crowd.open(server.url, 1, { stuck: true })
    await crowd.open(server.url, 1)
    await waitFor('both', () => server.streams.length >= 2)
    server.send(0)
    await crowd.reach(1)
    expect(await crowd.report()).toMatchObject({ events: 1, reading: 1 })
    await crowd.leave()
    await waitFor('both to be gone', () => server.streams.every((stream) => stream.destroyed))
    expect(await crowd.report()).toMatchObject({ reading: 0, closed: 0 })
  })

  it('tells of a server that answers otherwise', async () => {
    await using server = await startHttpServer((_req, res) => res.writeHead(503).end())
    await using crowd = startSseCrowd()
    await expect(crowd.open(server.url, 1)).rejects.toThrow('HTTP/1.1 503')
  })
})
