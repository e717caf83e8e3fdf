/** A remote film service that takes as many milliseconds as its argument says for every film, and nothing else. */
import { createServer } from 'node:http'
import { listenReady } from '../server-process.ts'

const latencyMs = Number(process.argv[2])

listenReady(
  createServer((req, res) => {
    const film = JSON.stringify({
      title: 'A film',
      episode_id: 1,
      producer: 'Producer',
      director: 'Director',
      opening_crawl: `Text of ${req.url}\r\n`.repeat(20),
    })
    setTimeout(() => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(film) })
      res.end(film)
    }, latencyMs)
  }),
)
