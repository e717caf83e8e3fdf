import { describe, expect, it } from 'vitest'
import { readSse, type ServerSentEvent, startHttpServer } from '../src/index.ts'

async function collect(stream: AsyncIterable<ServerSentEvent>): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

describe('readSse', () => {
  it('reads ids, names and data until the server ends the stream', async () => {
    await using server = await startHttpServer((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.end('retry: 5\n\n: comment\n\nid: 1\ndata: a\ndata: b\n\nevent: done\ndata: c\n\n')
    })
    expect(await collect(readSse(server.url))).toEqual([
      { event: 'message', id: '1', data: 'a\nb' },
      { event: 'done', id: undefined, data: 'c' },
    ])
  })

  it('ends quietly when the signal aborts and throws when the answer is no event stream', async () => {
    await using server = await startHttpServer((req, res) => {
      if (req.url === '/json') res.end('{}')
      else res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    })
    expect(await collect(readSse(server.url, { signal: AbortSignal.timeout(100) }))).toEqual([])
    await expect(collect(readSse(`${server.url}/json`))).rejects.toThrow('not an event stream')
  })
})
