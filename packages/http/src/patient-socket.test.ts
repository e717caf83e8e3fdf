import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PatientSocket } from './patient-socket.ts'

const server = createServer()
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

async function connected(onBytes: (bytes: Buffer) => void) {
  const { port } = server.address() as AddressInfo
  const socket = new PatientSocket(onBytes).connect(port, '127.0.0.1')
  const [[peer]] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, once(socket, 'connect')])
  return { socket, peer }
}

/** The error that Node gives to `destroy` when a write fails. */
const refused = () => Object.assign(new Error('write EPIPE'), { syscall: 'write', code: 'EPIPE' })

describe('a patient socket whose write has failed', () => {
  it('reads all that the other side has sent, and then ends with the error of the write', async () => {
    const size = 400_000
    let length = 0
    const { socket, peer } = await connected((bytes) => {
      length += bytes.length
    })
    await new Promise((resolve) => peer.write(Buffer.alloc(size), resolve))
    const error = refused()
    socket.destroy(error)
    expect(socket.wasReset).toBe(true)
    await expect(once(socket, 'close')).rejects.toBe(error)
    expect(length).toBe(size)
    peer.destroy()
  })

  it('waits for a reader that has paused', async () => {
    let text = ''
    const { socket, peer } = await connected((bytes) => {
      text += bytes
    })
    socket.pause()
    peer.end('late')
    await once(peer, 'finish')
    socket.destroy(refused())
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
    expect(socket.destroyed).toBe(false)
    socket.resume()
    await once(socket, 'close').catch(() => {})
    expect(text).toBe('late')
  })

  it('ends at once for another reason', async () => {
    const { socket } = await connected(() => {})
    socket.destroy()
    expect(socket.destroyed).toBe(true)
    expect(socket.wasReset).toBe(false)
  })
})

it('a patient socket sends small pieces at once', async () => {
  const setNoDelay = vi.spyOn(Socket.prototype, 'setNoDelay')
  const { socket } = await connected(() => {})
  expect(setNoDelay).toHaveBeenCalledWith(true)
  expect(setNoDelay.mock.contexts).toContain(socket)
  setNoDelay.mockRestore()
  socket.destroy()
})
