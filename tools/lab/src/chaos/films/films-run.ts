import { setTimeout as delay } from 'node:timers/promises'
import { startProcess, waitFor } from '@taproom/testkit'
import { APPS, fileAt, mainOf } from '../../harness/apps.ts'
import { percentile } from '../../harness/percentile.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import { tally } from '../report.ts'
import { type FilmFigures, runFilmClients } from './film-clients.ts'
import { type FilmRun, findingsOf, type HeldSize, type Stretch } from './film-findings.ts'
import { startFlappingRemote } from './flapping-remote.ts'
import { heldHeap, type ProcessSize, processSize } from './process-size.ts'

export interface FilmsOptions {
  readonly durationMs: number
  /** Requests at the same time. */
  readonly clients: number
  readonly random: () => number
  readonly signal: AbortSignal
  readonly write: (line: string) => void
}

const POLICIES = { FILM_TIMEOUT_MS: '300', FILM_RETRY_DELAY_MS: '50', FILM_CIRCUIT_BREAKER_DELAY_MS: '500' }
const TIMEOUT_MS = Number(POLICIES.FILM_TIMEOUT_MS)
/** A film takes at most 4 attempts and 3 waits, 1.35 s; the rest is for many requests at a time on a busy machine. */
const LIMIT_MS = 8000
/** A shorter run does not check times: it only shows, maybe on a busy machine, that everything happens. */
const TELLING_RUN_MS = 30_000
const PATIENT_LIMIT_MS = 40_000
const LONGEST_PHASE_MS = 1500
/** Idle connections are closed within this time. */
const SETTLE_MS = 30_000

/** The app of films under many requests at a time while its remote flaps; no findings mean that nothing hung, broke or grew. */
export async function runFilms(options: FilmsOptions): Promise<{ findings: readonly string[] }> {
  const { durationMs, random, write } = options
  const phaseMs = Math.min(LONGEST_PHASE_MS, durationMs / 3)
  await using stack = new AsyncDisposableStack()
  const folder = await temporaryFolder(stack, 'taproom-films')
  const remote = stack.use(await startFlappingRemote({ timeoutMs: TIMEOUT_MS, phaseMs, random }))
  const service = stack.use(
    startProcess(fileAt(mainOf(APPS.films)), {
      ...POLICIES,
      NODE_OPTIONS: `--import=${new URL('./collect-on-signal-main.ts', import.meta.url).href}`,
      NODE_ENV: 'production',
      DATABASE_URL: `sqlite:${folder}/films.sqlite`,
      FILM_SERVICE_URL: remote.url,
    }),
  )
  const url = await service.url()
  const look = () => processSize(service)
  const held = async (): Promise<HeldSize> => ({ ...(await look()), heapMiB: await heldHeap(service) })
  const before = await held()

  const over = new AbortController()
  const end = AbortSignal.any([options.signal, over.signal])
  const stretchMs = Math.min(60_000, durationMs / 3)
  let figures = newFigures()
  const clients = runFilmClients({
    ...options,
    url,
    limitMs: durationMs < TELLING_RUN_MS ? PATIENT_LIMIT_MS : LIMIT_MS,
    signal: end,
    figures: () => figures,
  })
  const stretches: Stretch[] = []
  const cameToPass = (outcome: string) => stretches.some(({ figures }) => figures.outcomes.has(outcome))
  const isTold = () => Object.values(remote.answers).every((times) => times > 0) && ['200', 'gave up'].every(cameToPass)
  void endAfter(durationMs, isTold, end).finally(() => over.abort())
  while (!end.aborted) {
    const sizes = await sizesDuring(stretchMs, look, end)
    const stretch = { figures, size: { ...most(sizes), heapMiB: await heldHeap(service) } }
    stretches.push(stretch)
    write(lineOf(stretches.length, stretch))
    figures = newFigures()
  }
  options.signal.throwIfAborted()
  await clients
  // Requests that ended after the last stretch.
  stretches.push({ figures, size: stretches.at(-1)?.size ?? before })

  remote.recover()
  await settled(look, before)
  const after = await held()
  write(`the remote answered: ${tally(remote.answers)}`)
  write(`idle: ${sizeText(before)} before, ${sizeText(after)} after`)
  const run: FilmRun = { stretchMs, stretches, idle: { before, after }, exitCode: await service.stop() }
  return { findings: findingsOf(run) }
}

/** Resolves after this time and once the remote has answered in every way, but not much later. */
async function endAfter(ms: number, isTold: () => boolean, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
  await waitFor('an answer of each kind', () => isTold() || signal.aborted, { timeoutMs: 60_000 }).catch(
    () => undefined,
  )
}

function newFigures(): FilmFigures {
  return { requests: 0, outcomes: new Map(), timesMs: [], wrong: [] }
}

async function sizesDuring(
  ms: number,
  look: () => Promise<ProcessSize>,
  end: AbortSignal,
): Promise<readonly ProcessSize[]> {
  const sizes: ProcessSize[] = []
  const until = performance.now() + ms
  do {
    sizes.push(await look())
    await delay(Math.max(0, Math.min(500, until - performance.now())), undefined, { signal: end }).catch(
      () => undefined,
    )
  } while (performance.now() < until && !end.aborted)
  return sizes
}

function most(sizes: readonly ProcessSize[]): ProcessSize {
  const of = (key: keyof ProcessSize) => Math.max(...sizes.map((size) => size[key]))
  return { residentMiB: of('residentMiB'), sockets: of('sockets'), handles: of('handles') }
}

/** Waits until no more is open than before; gives up in the end, since the findings compare both. */
async function settled(look: () => Promise<ProcessSize>, before: HeldSize): Promise<void> {
  const isSettled = async () => (await look()).sockets <= before.sockets + 1
  await waitFor('the connections to close', isSettled, { timeoutMs: SETTLE_MS, intervalMs: 250 }).catch(() => undefined)
}

function lineOf(number: number, { figures, size }: Stretch): string {
  const { requests, outcomes, timesMs } = figures
  const statuses = tally(Object.fromEntries(outcomes))
  return `${number}: ${requests} requests (${statuses}), p99 ${percentile(timesMs, 0.99).toFixed(0)} ms, ${sizeText(size)}`
}

function sizeText({ residentMiB, heapMiB, sockets, handles }: HeldSize): string {
  return `RSS ${residentMiB.toFixed(0)} MiB, heap ${heapMiB.toFixed(0)} MiB, ${sockets} sockets, ${handles} handles`
}
