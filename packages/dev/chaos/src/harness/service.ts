import { freePort, type LogLine, startProcess, type TestProcess } from '@taproom/testkit'
import type { Victim } from './kill-loop.ts'

/** A program that is killed and started again, always on the same port. */
export interface Service extends Victim, AsyncDisposable {
  readonly url: string
  /** Ends that nobody asked for; there should be none. */
  readonly failures: readonly string[]
  /** How often it was started. */
  readonly starts: number
  start(): void
  /** Resolves when it has said that it is ready. */
  ready(): Promise<void>
  /** SIGTERM; resolves when it is gone. */
  stop(): Promise<void>
}

/** What a service is: its program, and its environment once its port is known. */
export interface ServiceOptions {
  readonly name: string
  readonly main: URL
  env(port: number): Readonly<Record<string, string>>
  /** Called for each line of its log. */
  readonly onLine?: (line: LogLine) => void
}

/** Makes a service that is not started yet. */
export async function makeService({ name, main, env, onLine }: ServiceOptions): Promise<Service> {
  const port = await freePort()
  const failures: string[] = []
  let running: TestProcess | undefined
  let starts = 0

  /** Takes the process, so that its end is an expected one. */
  async function take(end: (process: TestProcess) => PromiseLike<unknown>): Promise<void> {
    const process = running
    running = undefined
    if (process !== undefined) await end(process)
  }

  return {
    name,
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
    async kill() {
      await take((process) => process[Symbol.asyncDispose]())
    },
    async stop() {
      await take((process) => process.stop())
    },
    async [Symbol.asyncDispose]() {
      await take((process) => process[Symbol.asyncDispose]())
    },
  }
}
