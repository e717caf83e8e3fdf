/** Writes to three connections to a port: one callback throws, and the process exits in the turn in which more is written. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { writeTogether } from '../src/index.ts'

const port = Number(process.argv[2])
const sockets = await Promise.all(
  [1, 2, 3].map(async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return writeTogether(socket)
  }),
)
process.once('uncaughtException', (error) => process.stdout.write(`thrown: ${error.message}\n`))
const [first, second, third] = sockets
first?.write('a', () => {
  throw new Error('by the first callback')
})
second?.write('a')
third?.write('a', () => {
  for (const socket of sockets) socket.write('b')
  process.exit()
})
