import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Measure } from './measure.ts'

/** Learns from processes under test what their work cost, and that they ended. */
export interface Watch extends AsyncDisposable {
  /** Arguments and environment for a process that is to be watched, and for its children. */
  readonly env: Readonly<Record<string, string>>
  /** The highest cost of a process since the last call; infinite for one that does not answer for {@link SILENCE_MS}. */
  highestCost(): Promise<number>
  /** Names of the processes that ended since the last call. */
  ended(): readonly string[]
}

interface Watched {
  readonly socket: Socket
  name: string
  answer?: (cost: number) => void
}

/** A process that does not answer for this long stands still, in milliseconds. */
export const SILENCE_MS = 60_000
const PRELOAD = new URL('../watched-main.ts', import.meta.url)

/** Listens for processes on a socket in the folder, which measure in this unit. */
export async function openWatch(folder: string, unit: Measure['unit']): Promise<Watch> {
  const path = join(folder, 'watch.sock')
  rmSync(path, { force: true })
  const processes = new Set<Watched>()
  const ended: string[] = []
  const server = createServer((socket) => {
    const watched: Watched = { socket, name: '' }
    processes.add(watched)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      processes.delete(watched)
      ended.push(watched.name)
      watched.answer?.(0)
    })
    const lines = createInterface(socket)
    // A process that aborts resets the connection, which `close` reports as well.
    lines.on('error', () => socket.destroy())
    lines.on('line', (line) => {
      const said = JSON.parse(line) as { readonly program?: string; readonly cost?: number }
      if (said.program !== undefined) watched.name = said.program
      if (said.cost !== undefined) watched.answer?.(said.cost)
    })
  })
  server.listen(path)
  await once(server, 'listening')

  function ask(watched: Watched): Promise<number> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(Number.POSITIVE_INFINITY), SILENCE_MS)
      watched.answer = (cost) => {
        clearTimeout(timer)
        resolve(cost)
      }
      watched.socket.write('?')
    })
  }

  return {
    env: { FUZZ_WATCH: path, FUZZ_METER: unit, NODE_OPTIONS: `--import=${PRELOAD.href}` },
    highestCost: async () => Math.max(0, ...(await Promise.all([...processes].map(ask)))),
    ended: () => ended.splice(0),
    async [Symbol.asyncDispose]() {
      for (const { socket } of processes) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
