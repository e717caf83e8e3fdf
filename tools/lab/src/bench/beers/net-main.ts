/** The shortest program that sends events to many clients: one HTTP chunk an event, written to each socket of node:net. */
import { createServer, type Socket } from 'node:net'
import { listenReady } from '../../harness/server-process.ts'
import { readPricedBeers } from './priced-beers.ts'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
const sockets = new Set<Socket>()

await readPricedBeers(({ offset, value }) => {
  const event = Buffer.from(`id: 0-${offset}\ndata: ${value}\n\n`)
  const chunk = Buffer.concat([Buffer.from(`${event.length.toString(16)}\r\n`), event, Buffer.from('\r\n')])
  for (const socket of sockets) socket.write(chunk)
})

listenReady(
  createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    socket.once('data', () => {
      socket.write(HEAD)
      sockets.add(socket)
    })
  }),
)
