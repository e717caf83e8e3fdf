import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A sink that tells when it has had as many events as it is asked for. */
export interface CountingSink extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** Resolves once it has had `count` events more than at the last call, with the time of the last one: milliseconds since the epoch. */
  next(count: number): Promise<number>
}

/** Starts the strict sink on any core: the events of `broker` and of direct posts go through the same ones. */
export async function startCountingSink(): Promise<CountingSink> {
  const main = fileURLToPath(new URL('./sink-main.ts', import.meta.url))
  const child = spawn(process.execPath, [...process.execArgv, main, 'taproom'], {
    env: { NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const [line] = (await once(createInterface({ input: child.stdout ?? process.stdin }), 'line')) as [string]
  const { port }: { port: number } = JSON.parse(line)
  child.stdout?.resume()
  let expected = 0
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async next(count) {
      expected += count
      const told = once(child, 'message')
      child.send({ expect: expected })
      const [{ at }] = (await told) as [{ at: number }]
      return at
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await exited
    },
  }
}
