import { type ServerProcess, startServer } from '../server-process.ts'

export interface CountingSink extends ServerProcess {
  /** Resolves at `count` events more than at the last call, with the time of the last one: milliseconds since the epoch. */
  next(count: number): Promise<number>
}

/** Starts the strict sink on any core; the broker and direct posts send to the same sinks. */
export async function startCountingSink(): Promise<CountingSink> {
  const main = new URL('./sink-main.ts', import.meta.url)
  const sink = await startServer(main, { args: ['taproom'], isPinned: false, hasChannel: true })
  let expected = 0
  return {
    ...sink,
    async next(count) {
      expected += count
      return (await sink.ask<{ at: number }>({ expect: expected })).at
    },
  }
}
