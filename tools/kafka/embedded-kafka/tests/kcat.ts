import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The program, or the path to it. */
const KCAT = process.env['KCAT'] ?? 'kcat'

/** Runs kcat and gives what it printed. */
export async function kcat(args: readonly string[], input = ''): Promise<string> {
  const child = spawn(KCAT, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  const problems: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk))
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`kcat ended with ${code}: ${Buffer.concat(problems).toString()}`)
  return Buffer.concat(output).toString()
}
