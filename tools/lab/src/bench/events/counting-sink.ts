import { type ServerProcess, startServer } from '../../harness/server-process.ts'

export interface CountingSink extends ServerProcess {
  /** Resolves at `count` events more than at the last call, with the time of the last one: milliseconds since the epoch. */
  next(count: number): Promise<number>
  /** The same for events whose ids are the times at which they were posted, with how long each took, in milliseconds. */
  nextTimed(count: number): Promise<readonly number[]>
}

/** Starts the strict sink on any core, at an address of this machine; the broker and direct posts send to the same sinks. */
export async function startCountingSink(host = '127.0.0.1'): Promise<CountingSink> {
  const main = new URL('./sink-main.ts', import.meta.url)
  const sink = await startServer(main, { args: ['taproom', host], isPinned: false, hasChannel: true })
  let expected = 0
  const ask = (count: number, isTimed: boolean) => {
    expected += count
    return sink.ask<{ at: number; milliseconds: number[] }>({ expect: expected, isTimed })
  }
  return {
    ...sink,
    url: sink.url.replace('127.0.0.1', host),
    next: async (count) => (await ask(count, false)).at,
    nextTimed: async (count) => (await ask(count, true)).milliseconds,
  }
}
