import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { stepsOf } from '../src/guide.ts'
import { runGuide } from './run-guide.ts'

const GUIDES = join(import.meta.dirname, '../../../../docs/guides')
/** Ports that guides name, by the variable that moves them under `pnpm start`. */
const PORTS = { '8080': 'PORT', '8001': 'KUBE_PORT', '9092': 'KAFKA_PORT', '9080': undefined } as const

const names: readonly string[] = (await Array.fromAsync(glob('*.md', { cwd: GUIDES }))).sort()
const guides = await Promise.all(names.map(readGuide))
const hasCurl = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
)

async function readGuide(name: string) {
  const text = await readFile(join(GUIDES, name), 'utf8')
  return { name, text, steps: stepsOf(text) }
}

/** Its steps, on ports of its own, since those it names may be taken. */
async function moved(text: string) {
  const free = new Map<string, string>()
  const env: Record<string, string> = {}
  for (const [port, variable] of Object.entries(PORTS)) {
    const other = `${await freePort()}`
    free.set(port, other)
    if (variable !== undefined) env[variable] = other
  }
  const elsewhere = text.replace(
    new RegExp(`\\b(?:${Object.keys(PORTS).join('|')})\\b`, 'g'),
    (port) => free.get(port) ?? port,
  )
  return { steps: stepsOf(elsewhere), env }
}

describe('the guides', () => {
  it('are all in the list of guides', async () => {
    const list = await readFile(join(GUIDES, 'README.md'), 'utf8')
    expect(names.filter((name) => name !== 'README.md' && !list.includes(`](${name})`))).toEqual([])
    expect(names.length).toBeGreaterThan(7)
  })

  const needsRegistry = ({ steps }: (typeof guides)[number]) =>
    steps.some((step) => step.kind === 'commands' && step.needsRegistry)

  it.concurrent.each(guides.filter((guide) => guide.steps.length > 0 && !needsRegistry(guide)))(
    '$name: every file and command works',
    async ({ name, text, steps: named }) => {
      if (!hasCurl && named.some((step) => step.kind === 'commands' && step.commands.includes('curl'))) {
        console.warn(`NOT RUN: ${name} wants curl`)
        return
      }
      const { steps, env } = await moved(text)
      await runGuide(steps, env)
    },
  )
})
