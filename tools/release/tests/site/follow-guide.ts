import { run } from '@taproom/processes'
import { freePort } from '@taproom/testkit'
import { stepsOf } from '../../src/site/guide.ts'
import type { Guide } from './read-guides.ts'
import { runGuide } from './run-guide.ts'

/** Ports that guides name, by the variable that moves them under `pnpm start`. */
const PORTS = { '8080': 'PORT', '8001': 'KUBE_PORT', '9092': 'KAFKA_PORT', '9080': undefined } as const

/** Whether a guide has files or commands, and none that asks a registry. */
export function canBeFollowed({ steps }: Guide): boolean {
  return steps.length > 0 && !steps.some((step) => step.kind === 'commands' && step.needsRegistry)
}

/** Does what a guide says, on free ports. */
export async function followGuide({ name, text, steps: named }: Guide): Promise<void> {
  const wantsCurl = named.some((step) => step.kind === 'commands' && step.commands.includes('curl'))
  if (wantsCurl && !(await hasCurl())) {
    console.warn(`NOT RUN: ${name} wants curl`)
    return
  }
  const { steps, env } = await moved(text)
  await runGuide(steps, env)
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

async function hasCurl(): Promise<boolean> {
  return await run('curl', ['--version']).then(
    () => true,
    () => false,
  )
}
