import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** pnpm ended otherwise than with 0; its output is the message. */
export class PnpmError extends Error {
  override readonly name = 'PnpmError'
  readonly code = 'CREATE_PNPM_FAILED'
}

/** The last lines of its output that the message has. */
const MOST_LINES = 40

/** Runs pnpm 12 in a folder, fetched by npm if need be. @throws {PnpmError} when it fails */
export async function runPnpm(folder: string, ...args: readonly string[]): Promise<void> {
  const child = spawn('npx', ['-y', 'pnpm@12', ...args], {
    cwd: folder,
    env: { ...process.env, ...sameRegistry(process.env) },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 0) return
  const lines = Buffer.concat(output).toString().trim().split('\n').slice(-MOST_LINES)
  throw new PnpmError(`npx -y pnpm@12 ${args.join(' ')}: ${lines.join('\n')}`)
}

/** What `npm create --registry URL` was told: pnpm does not read npm's variables. */
function sameRegistry({ npm_config_registry: registry }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return registry === undefined ? {} : { PNPM_CONFIG_REGISTRY: registry }
}
