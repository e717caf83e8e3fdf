import { type ExecFileException, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, LONGEST_WAIT_MS, waitFor } from '@taproom/testkit'
import { MACHINE, runHere } from './plain-npm.ts'

/** How a program ended, and all that it wrote. */
export interface Ended {
  readonly code: number | null
  readonly output: string
}

/** A running system of the user's. */
export interface UserSystem extends AsyncDisposable {
  /** The gateway's address. */
  readonly url: string
  /** What it wrote so far. */
  output(): string
  /** Ctrl-C; resolves when it has ended. */
  stop(): Promise<number | null>
}

/** A user's machine with nothing but Node and npm, which install from a registry. Makes two folders: the user's home, and the one they work in. */
export async function userMachine(folder: string, registry: string) {
  const home = join(folder, 'home')
  const work = join(folder, 'work')
  for (const path of [home, work]) await mkdir(path)
  await writeFile(join(home, '.npmrc'), `registry=${registry}\n`)
  // What was fetched for this repository need not be fetched again: a file in the store is what its hash says.
  const store = (await runHere('pnpm', 'store', 'path')).trim()
  const env = { ...MACHINE, HOME: home, PNPM_CONFIG_STORE_DIR: store, TAPROOM_TEST_BACKEND: 'embedded', NO_COLOR: '1' }
  return {
    work,
    /** Runs a command in the folder `where` of `work`, to its end. */
    async run(where: string, command: string, ...args: readonly string[]): Promise<Ended> {
      const options = { cwd: join(work, where), env, maxBuffer: 2 ** 24, timeout: LONGEST_WAIT_MS }
      return await new Promise((resolve) => {
        execFile(command, args, options, (error: ExecFileException | null, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr })
        })
      })
    },
    /** `npx -y pnpm@12 start` in a folder of `work`, on free ports, until all is ready. */
    start: (where: string): Promise<UserSystem> => startSystem(join(work, where), env),
  }
}

async function startSystem(cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<UserSystem> {
  const [port, kube, kafka] = [await freePort(), await freePort(), await freePort()]
  const child = spawn('npx', ['-y', 'pnpm@12', 'start'], {
    cwd,
    env: { ...env, PORT: `${port}`, KUBE_PORT: `${kube}`, KAFKA_PORT: `${kafka}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    // As a shell does with what it runs in the foreground: Ctrl-C reaches the whole group.
    detached: true,
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  const closed = once(child, 'close') as Promise<[number | null]>
  const signal = (name: NodeJS.Signals) => process.kill(-(child.pid ?? 0), name)
  async function stop(): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) signal('SIGINT')
    const overdue = setTimeout(() => signal('SIGKILL'), LONGEST_WAIT_MS)
    const [code] = await closed
    clearTimeout(overdue)
    return code
  }
  const system = {
    url: `http://127.0.0.1:${port}`,
    output: () => text,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
  const ended = closed.then(([code]) => {
    throw new Error(`pnpm start ended with ${code}: ${text}`)
  })
  try {
    await Promise.race([waitFor('the system to be ready', () => /^ready http/m.test(text)), ended])
  } catch (error) {
    await stop()
    throw new Error(`it did not start: ${text}`, { cause: error })
  }
  ended.catch(() => {
    // That is what `stop` is for.
  })
  return system
}
