import { once } from 'node:events'
import { createServer } from 'node:net'
import { eventually } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { createKafka, createTopicAdmin } from '../src/index.ts'
import { silentLog } from './silent-log.ts'

it.each([
  ['a negative length', [255, 255, 255, 255, 0, 0]],
  ['no length at all', [0, 0, 0, 0, 0, 0]],
  ['a length of two gibibytes', [0x7f, 255, 255, 255, 0, 0]],
  ['a length without room for the number of the request', [0, 0, 0, 2, 0, 0]],
  ['an answer of two thousand million APIs', [0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0x7f, 255, 255, 255]],
])('a broker that answers with %s fails the call and not the process', async (_case, bytes) => {
  let answers = 0
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', () => {
      answers += 1
      socket.write(Buffer.from(bytes))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const kafka = createKafka({ clientId: 'test', bootstrapServers: `127.0.0.1:${port}`, log: silentLog })
  const admin = createTopicAdmin(kafka, { timeoutMs: 1000 })
  await expect(admin.ensureTopic('t')).rejects.toThrow()
  await eventually(() => expect(answers).toBeGreaterThan(0))
  await admin[Symbol.asyncDispose]()
  server.close()
})
