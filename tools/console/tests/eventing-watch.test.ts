import { startHttpServer } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { EventingWatch } from '../src/eventing/eventing-watch.ts'

it('a resource API that breaks off is 503, with the reason', async () => {
  await using api = await startHttpServer((request) => request.socket.destroy())
  using watch = new EventingWatch(`http://127.0.0.1:${api.port}`)
  await expect(watch.read()).rejects.toThrow(/does not answer: fetch failed: other side closed$/)
})
