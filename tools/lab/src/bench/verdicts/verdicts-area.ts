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

/**
 * How long the console takes to name the cause of each fault. One system has them all, one after another, each once; but no transform of it
 * can throw, so that one with such a transform is measured beside it.
 */
export async function openVerdictsArea(opened: AsyncDisposableStack): Promise<Area> {
  const system = await openFaultySystem(opened)
  const piped = await openPipedSystem(opened)
  const row = (name: string, measure: () => Promise<number>) => ({
    what: name,
    ours: contender('verdict', once(measure)),
    peer: limit('limit', LIMIT_SECONDS),
    atLeast: 1,
  })
  const rows = SYSTEM_FAULTS.map(({ make, ...fault }) =>
    row(fault.name, () => timesPerSecond({ ...fault, make: () => make(system, opened) }, system)),
  )
  const thrown = row(THROWN.name, () => timesPerSecond({ ...THROWN, make: () => sendUnspeakable(piped) }, piped))
  return { unit: 'seconds', isTime: true, rounds: 1, rows: [...rows, thrown] }
}

/** The record at which the transform of `tools/console/tests/fixtures/piped` throws, and its verdict. */
const THROWN = {
  name: 'transform that throws',
  part: 'channel/piper/spoken',
  problem: /^piper, topic words partition \d+ offset \d+: .*the channel stops: this word cannot be spoken$/,
}

async function sendUnspeakable({ ask }: Asking): Promise<void> {
  await ask('POST', '/api/kafka/topics/words/records', { value: 'unspeakable' })
}

type Asking = Pick<FaultySystem, 'ask'>

async function openPipedSystem(opened: AsyncDisposableStack): Promise<Asking> {
  const { page } = await startWholeSystem(opened, {}, fileAt('tools/console/tests/fixtures/piped/'))
  const ask = askerOf(page)
  // The service creates it.
  await waitFor('the topic', async () => {
    const { items } = (await ask('GET', '/api/kafka/topics?name=words')) as { readonly items: readonly unknown[] }
    return items.length > 0
  })
  return { ask }
}

/** Asks the console at an address for people, with its secret. */
function askerOf(page: string): FaultySystem['ask'] {
  const { origin, hash } = new URL(page)
  const authorization = `Bearer ${hash.replace('#session=', '')}`
  return async (method, path, body) => {
    const headers = { authorization, ...(body && { 'Content-Type': 'application/json' }) }
    const answer = await fetch(`${origin}${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
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
  const faulty: FaultySystem = {
    ...{ gateway: system.gateway, resourceApi: system.resourceApi, manifests },
    stopDatabase: () => postgres.stop(),
    async foreignToken() {
      const other = await createDevIssuer({ folder: system.keys, issuer: 'https://other.example' })
      return await other.sign({ user: 'duke', groups: [] })
    },
    ask: askerOf(system.page),
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

interface Fault extends Pick<SystemFault, 'name' | 'part' | 'problem'> {
  make(): Promise<void>
}

/** One over the seconds from a fault to its verdict. */
async function timesPerSecond({ name, part, problem, make }: Fault, { ask }: Asking): Promise<number> {
  const begin = performance.now()
  await make()
  const isSaid = async () => {
    const { items } = (await ask('GET', '/api/verdicts')) as Verdicts
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
