import { cp } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createDevIssuer } from '@taproom/jwt/testing'
import { startPostgres, waitFor } from '@taproom/testkit'
import { type FaultySystem, SYSTEM_FAULTS, type SystemFault } from '@taproom/testkit/system-faults'
import { fileAt } from '../../harness/apps.ts'
import { contender } from '../../harness/contender.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import { startWholeSystem } from '../../harness/whole-system.ts'
import type { Area } from '../area.ts'
import { limit } from '../contenders.ts'

const LIMIT_SECONDS = 20
const LOOK_MS = 100
const TRACED_MS = 500

interface Verdicts {
  readonly items: readonly { readonly part: string; readonly problem: string }[]
}

/** How long the console takes to name the cause of each fault. One system has them all, one after another, each once. */
export async function openVerdictsArea(opened: AsyncDisposableStack): Promise<Area> {
  const system = await openFaultySystem(opened)
  return {
    unit: 'seconds',
    isTime: true,
    rounds: 1,
    rows: SYSTEM_FAULTS.map((fault) => ({
      what: fault.name,
      ours: contender(
        'verdict',
        once(() => timesPerSecond(fault, system, opened)),
      ),
      peer: limit('limit', LIMIT_SECONDS),
      atLeast: 1,
    })),
  }
}

async function openFaultySystem(opened: AsyncDisposableStack): Promise<FaultySystem> {
  const manifests = await temporaryFolder(opened, 'bench-manifests')
  await cp(fileURLToPath(fileAt('deploy/knative')), manifests, { recursive: true })
  const postgres = opened.use(await startPostgres())
  const system = await startWholeSystem(opened, {
    ...{ MANIFESTS: manifests, DATABASE_URL: postgres.url },
    // The first call that fails must not open the breaker.
    FILM_RETRY_MAX_RETRIES: '0',
  })
  const { origin, hash } = new URL(system.page)
  const authorization = `Bearer ${hash.replace('#session=', '')}`
  const faulty: FaultySystem = {
    ...{ gateway: system.gateway, resourceApi: system.resourceApi, manifests },
    stopDatabase: () => postgres.stop(),
    async foreignToken() {
      const other = await createDevIssuer({ folder: system.keys, issuer: 'https://other.example' })
      return await other.sign({ user: 'duke', groups: [] })
    },
    async ask(method, path, body) {
      const headers = { authorization, ...(body && { 'Content-Type': 'application/json' }) }
      const answer = await fetch(`${origin}${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return JSON.parse(text)
    },
  }
  await waitFor('events to be traced', () => isTraced(faulty), { intervalMs: TRACED_MS })
  return faulty
}

/** Sends an event; true when the console has seen one. Services send spans a moment after they are ready. */
async function isTraced({ ask }: FaultySystem): Promise<boolean> {
  const event = { type: 'greeting', source: '/bench' }
  await ask('POST', '/api/events', { broker: 'default/default', mode: 'binary', event })
  const { items } = (await ask('GET', '/api/events?limit=1')) as { readonly items: readonly unknown[] }
  return items.length > 0
}

/** One over the seconds from a fault to its verdict. */
async function timesPerSecond(
  { name, part, problem, make }: SystemFault,
  system: FaultySystem,
  opened: AsyncDisposableStack,
): Promise<number> {
  const begin = performance.now()
  await make(system, opened)
  const isSaid = async () => {
    const { items } = (await system.ask('GET', '/api/verdicts')) as Verdicts
    return items.some((each) => each.part === part && problem.test(each.problem))
  }
  await waitFor(`the verdict of ${name}`, isSaid, { intervalMs: LOOK_MS })
  return 1000 / (performance.now() - begin)
}

/** A fault is made once: its verdict stays. */
function once(measure: () => Promise<number>): () => Promise<number> {
  let measured: Promise<number> | undefined
  return () => (measured ??= measure())
}
