import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@taproom/testkit'

/** One line a process logged. */
export type Line = Readonly<Record<string, unknown>>

/** What to run. */
export interface SupervisedProcessOptions {
  readonly name: string
  /** The program, run from its sources. */
  readonly main: URL
  readonly env: Readonly<Record<string, string>>
  /** Called for each line of JSON on its standard output. */
  readonly onLine?: (line: Line) => void
}

/** A process that is started again whenever it ends. */
export class SupervisedProcess implements AsyncDisposable {
  readonly #options: SupervisedProcessOptions
  #child: ChildProcess
  #isReady = false
  #isKilled = false
  #isClosed = false
  #failure: string | undefined

  constructor(options: SupervisedProcessOptions) {
    this.#options = options
    this.#child = this.#start()
  }

  /** How it ended by itself, if it did. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** Ends the process by SIGKILL, whatever it is doing; a new one starts at once. */
  kill(): boolean {
    this.#isKilled = true
    return this.#child.kill('SIGKILL')
  }

  /** Resolves when the process of the moment has said that it is ready. */
  async ready(timeoutMs = 20_000): Promise<void> {
    await waitFor(`${this.#options.name} is ready`, () => this.#isReady || this.#failure !== undefined, { timeoutMs })
    if (this.#failure !== undefined) throw new Error(this.#failure)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    const deadline = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(deadline)
  }

  #start(): ChildProcess {
    const { name, main, env, onLine } = this.#options
    this.#isReady = false
    this.#isKilled = false
    const child = spawn(process.execPath, ['--conditions=development', fileURLToPath(main)], {
      env: { PATH: process.env['PATH'], HOST: '127.0.0.1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const errors: string[] = []
    createInterface(child.stderr).on('line', (line) => errors.push(line))
    createInterface(child.stdout).on('line', (text) => {
      const line = parsed(text)
      if (line === undefined) return
      if (child === this.#child && line['msg'] === `${name} ready`) this.#isReady = true
      onLine?.(line)
    })
    child.once('exit', (code, signal) => {
      if (this.#isClosed) return
      if (!this.#isKilled) this.#failure ??= `${name} ended by itself (${signal ?? code}): ${errors.join(' ')}`
      this.#child = this.#start()
    })
    return child
  }
}

/** The last line of a killed process may be cut. */
function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line
  } catch {
    return undefined
  }
}
