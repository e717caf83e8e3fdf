/** better-sse as its documentation has it: a session for each response of node:http, one channel. */
import { createServer } from 'node:http'
import { createChannel, createSession } from 'better-sse'
import { listenReady } from '../../harness/server-process.ts'
import { readPricedBeers } from './priced-beers.ts'

const channel = createChannel()

await readPricedBeers(({ offset, value }) => {
  channel.broadcast(JSON.parse(value), 'message', { eventId: `0-${offset}` })
})

listenReady(
  createServer(async (req, res) => {
    channel.register(await createSession(req, res))
  }),
)
