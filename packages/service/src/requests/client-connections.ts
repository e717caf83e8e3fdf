import type { Socket } from 'node:net'
import { addressOf, clientKey, isTrusted, type TrustedProxies } from './client-address.ts'

/**
 * Counts the connections of each client; false for one beyond `most`, which is to be closed. A trusted proxy may have any number: it speaks
 * for many clients.
 */
export function countConnections(most: number, trusted: TrustedProxies): (socket: Socket) => boolean {
  const open = new Map<string, number>()
  return (socket) => {
    const address = addressOf(socket)
    if (address === undefined || isTrusted(address, trusted)) return true
    const client = clientKey(address)
    const count = open.get(client) ?? 0
    if (count >= most) return false
    open.set(client, count + 1)
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1
      if (left > 0) open.set(client, left)
      else open.delete(client)
    })
    return true
  }
}
