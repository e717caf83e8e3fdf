/** Writes to three connections to a port: one callback throws, and the process exits in the turn in which more is written. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { writesTogether } from '../src/index.ts'

const port = Number(process.argv[2])
const writers = await Promise.all(
  [1, 2, 3].map(async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const together = writesTogether(socket)
    return (text: string, told?: () => void) => void together.during(() => socket.write(text, told))
  }),
)
process.once('uncaughtException', (error) => process.stdout.write(`thrown: ${error.message}\n`))
const [first, second, third] = writers
first?.('a', () => {
  throw new Error('by the first callback')
})
second?.('a')
third?.('a', () => {
  for (const write of writers) write('b')
  process.exit()
})
