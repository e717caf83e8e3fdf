import { startHttpServer } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { EventingWatch } from '../src/eventing/eventing-watch.ts'

it('a resource API that breaks off is 503, with the reason', async () => {
  await using api = await startHttpServer((request) => request.socket.destroy())
  using watch = new EventingWatch(`http://127.0.0.1:${api.port}`)
  await expect(watch.read()).rejects.toThrow(/does not answer: fetch failed: other side closed$/)
})

it('a list without end is refused once it is too long, and the rest is not read', async () => {
  const most = 256
  const piece = Buffer.alloc(1024 * 1024, ' ')
  const closed = Promise.withResolvers<number>()
  await using api = await startHttpServer((_request, response) => {
    let sent = 0
    const send = () => {
      sent += 1
      if (sent < most) response.write(piece, send)
      else response.end()
    }
    send()
    response.once('close', () => closed.resolve(sent))
  })
  using watch = new EventingWatch(`http://127.0.0.1:${api.port}`)
  await expect(watch.read()).rejects.toThrow(/answers more than 16777216 bytes$/)
  expect(await closed.promise).toBeLessThan(most)
})
