/** better-sse as its documentation has it: a session for each response of node:http, one channel. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createChannel, createSession } from 'better-sse'
import { writeReady } from '../server-process.ts'
import { readPricedBeers } from './priced-beers.ts'

const channel = createChannel()

await readPricedBeers(({ offset, value }) => {
  channel.broadcast(JSON.parse(value), 'message', { eventId: `0-${offset}` })
})

const server = createServer(async (req, res) => {
  channel.register(await createSession(req, res))
})
server.listen(0, '127.0.0.1', () => writeReady((server.address() as AddressInfo).port))
