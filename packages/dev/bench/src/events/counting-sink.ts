import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '@taproom/processes'

export interface CountingSink extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** Resolves at `count` events more than at the last call, with the time of the last one: milliseconds since the epoch. */
  next(count: number): Promise<number>
}

/** Starts the strict sink on any core; the broker and direct posts send to the same sinks. */
export async function startCountingSink(): Promise<CountingSink> {
  const child = startNode({
    args: [...endingWithParent(fileURLToPath(new URL('./sink-main.ts', import.meta.url))), 'taproom'],
    env: { NODE_ENV: 'production' },
    stderr: 'inherit',
    hasChannel: true,
  })
  const { port } = await child.ready
  let expected = 0
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async next(count) {
      expected += count
      return (await child.ask<{ at: number }>({ expect: expected })).at
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
