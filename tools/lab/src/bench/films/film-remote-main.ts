/**
 * A remote film service that costs the core it shares with the load generator as little as can be: on bare node:net, every request gets the
 * same film, after as many milliseconds as its argument says.
 */
import { createServer, type Socket } from 'node:net'
import { listenReady } from '../../harness/server-process.ts'

const latencyMs = Number(process.argv[2])
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

const reply = (socket: Socket) => {
  if (latencyMs === 0) socket.write(answer)
  else setTimeout(() => socket.write(answer), latencyMs)
}

listenReady(
  createServer({ noDelay: true }, (socket) => {
    let unfinished = ''
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const heads = (unfinished + data.toString('latin1')).split(END)
      unfinished = heads.pop() ?? ''
      for (const _ of heads) reply(socket)
    })
  }),
)
