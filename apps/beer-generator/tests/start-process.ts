import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@taproom/testkit'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The app as a process of its own, on a free port. */
export function startProcess(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--conditions=development', main], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const lines: { readonly msg: string; readonly port?: number }[] = []
  const errors: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)))
  createInterface(child.stderr).on('line', (line) => errors.push(line))
  return {
    /** What it logged so far. */
    lines,
    /** What it wrote to stderr so far. */
    errors,
    exited,
    /** Where it serves, once it says that it is ready. */
    url: async () => {
      const ready = await waitFor('the ready line', () => lines.find(({ msg }) => msg.endsWith(' ready')))
      return `http://127.0.0.1:${ready.port}`
    },
    /** Sends SIGTERM and gives the exit code. */
    stop: async () => {
      child.kill('SIGTERM')
      return await exited
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Status of a health endpoint and the statuses of its checks by name. */
export async function readHealth(url: string, kind: 'live' | 'ready' | 'well') {
  const response = await fetch(`${url}/q/health/${kind}`)
  const { checks } = (await response.json()) as { checks: { name: string; status: string; data?: object }[] }
  return { status: response.status, checks: Object.fromEntries(checks.map((check) => [check.name, check])) }
}

/** One value of `/q/metrics`, named as there: `name` or `name{label="value"}`. */
export async function readMetric(url: string, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${url}/q/metrics`)).text()
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}
