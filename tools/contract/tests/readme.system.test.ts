import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { eventually, withProgress } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { target } from './target.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The command lines of the first `sh` block below a heading of the README. */
async function commandsBelow(heading: string): Promise<string[]> {
  const readme = await readFile(`${ROOT}/README.md`, 'utf8')
  const block = /```sh\n([\s\S]*?)```/.exec(readme.slice(readme.indexOf(`\n## ${heading}\n`)))
  return (block?.[1] ?? '').trim().split('\n')
}

/** Runs one command line of the README against the system under contract, with the pnpm that runs the tests: no registry is asked. */
async function runLine(line: string): Promise<string> {
  const command = line.replaceAll('http://localhost:8080', target.url).replaceAll('npx -y pnpm@12', 'pnpm')
  const running = run('bash', ['--norc', '-c', command], {
    cwd: ROOT,
    env: { ...process.env, TAPROOM_STATE_DIR: dirname(target.keys) },
  })
  return (await withProgress(running, line)).stdout
}

describe('the lines to try in the README', async () => {
  const lines = await commandsBelow('Try it')
  const expected = [
    /^duke$/,
    /"title":"The Empire Strikes Back"/,
    /data: ?\{"name":".+","price":\d+\.\d{2}\}/,
    /^HTTP\/1\.1 202 /,
  ]

  it('are four', () => expect(lines).toHaveLength(4))

  it.each(lines.map((line, index) => ({ line, answer: expected[index] ?? /never/ })))(
    '$line',
    async ({ line, answer }) => {
      // A line that gives itself some seconds may get nothing in them on a busy machine.
      const isLimited = line.includes('--max-time')
      if (isLimited) await eventually(async () => expect(await runLine(line)).toMatch(answer))
      else expect(await runLine(line)).toMatch(answer)
    },
  )
})
