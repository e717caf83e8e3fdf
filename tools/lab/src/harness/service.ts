import { freePort, type LogLine, startProcess, type TestProcess } from '@taproom/testkit'
import type { Victim } from './kill-loop.ts'

/** A program that is killed and started again, always on the same port. */
export interface Service extends Victim, AsyncDisposable {
  readonly url: string
  /** How often it ended without being stopped or killed; should be 0. */
  readonly failures: readonly string[]
  readonly starts: number
  start(): void
  ready(): Promise<void>
  /** Sends SIGTERM; resolves when it has ended. */
  stop(): Promise<void>
}

/** The program of a service, and its environment once the port is known. */
export interface ServiceOptions {
  readonly name: string
  readonly main: URL
  /** As in {@link Victim}. */
  readonly weight?: number
  env(port: number): Readonly<Record<string, string>>
  /** Called for each line of its log. */
  readonly onLine?: (line: LogLine) => void
}

/** Creates a service without starting it. */
export async function makeService({ name, main, weight = 1, env, onLine }: ServiceOptions): Promise<Service> {
  const port = await freePort()
  const failures: string[] = []
  let running: TestProcess | undefined
  let starts = 0

  /** Takes the process out, so that its end counts as expected. */
  async function take(end: (process: TestProcess) => PromiseLike<unknown>): Promise<void> {
    const process = running
    running = undefined
    if (process !== undefined) await end(process)
  }

  const kill = () => take((process) => process[Symbol.asyncDispose]())

  return {
    name,
    weight,
    url: `http://127.0.0.1:${port}`,
    get isRunning() {
      return running !== undefined
    },
    get starts() {
      return starts
    },
    failures,
    start() {
      if (running !== undefined) return
      const process = startProcess(main, { PORT: String(port), ...env(port) }, onLine)
      running = process
      starts += 1
      void process.exited.then((code) => {
        if (running !== process) return
        running = undefined
        failures.push(`${name} ended by itself with ${code}: ${process.errors.join(' ').slice(0, 500)}`)
      })
    },
    async ready() {
      await running?.url()
    },
    kill,
    stop: () => take((process) => process.stop()),
    [Symbol.asyncDispose]: kill,
  }
}
