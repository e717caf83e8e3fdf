import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The broker's command in a process of its own. */
export interface BrokerProcess extends AsyncDisposable {
  readonly bootstrapServers: string
  readonly port: number
  readonly child: ChildProcess
  kill(signal: NodeJS.Signals): Promise<number | null>
}

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Starts the command and resolves when it has said that it is ready. */
export async function startBrokerProcess(options: { dataDir?: string; port?: number } = {}): Promise<BrokerProcess> {
  const child = spawn(process.execPath, ['--conditions=development', MAIN], {
    env: {
      ...process.env,
      KAFKA_PORT: String(options.port ?? 0),
      KAFKA_DATA_DIR: options.dataDir ?? '',
      NODE_OPTIONS: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const port = await readyPort(child)
  const kill = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    await exited
    return child.exitCode
  }
  return {
    bootstrapServers: `127.0.0.1:${port}`,
    port,
    child,
    kill,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await kill('SIGKILL')
    },
  }
}

async function readyPort(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('the command has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = JSON.parse(line) as { msg: string; port: number }
    if (entry.msg === 'embedded-kafka ready') {
      child.stdout.resume()
      return entry.port
    }
  }
  throw new Error('the command ended before it was ready')
}
