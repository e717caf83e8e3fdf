/**
 * A remote film service that costs the core it shares with the load generator as little as can be: on bare node:net, every request gets the
 * same film at once.
 */
import { createServer } from 'node:net'
import { listenReady } from '../server-process.ts'

const END = '\r\n\r\n'
const film = JSON.stringify({
  title: 'A film',
  episode_id: 1,
  producer: 'Producer',
  director: 'Director',
  opening_crawl: 'Some words of a text that opens a film\r\n'.repeat(12),
})
const length = Buffer.byteLength(film)
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}${END}${film}`,
)

listenReady(
  createServer({ noDelay: true }, (socket) => {
    let unfinished = ''
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const heads = (unfinished + data.toString('latin1')).split(END)
      unfinished = heads.pop() ?? ''
      for (const _ of heads) socket.write(answer)
    })
  }),
)
