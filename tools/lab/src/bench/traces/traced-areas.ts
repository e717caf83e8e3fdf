import { APPS } from '../../harness/apps.ts'
import { type Contender, contender } from '../../harness/contender.ts'
import { startLoad } from '../../harness/http-load.ts'
import { startServer } from '../../harness/server-process.ts'
import type { Area, Row } from '../area.ts'
import { CLAIM_PATH, KNOWN_TOKENS, openClaims, startClaims } from '../claim/claims.ts'
import { startBroker } from '../events/broker-system.ts'
import { deliveries, openSinks } from '../events/deliveries.ts'

type Env = Readonly<Record<string, string>>

/** One trace of a hundred is recorded. */
export const SAMPLED: Env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' }

/** The ways of tracing that are compared with the same service untraced. */
const TRACED_ROWS = [
  { what: 'OTEL_SDK_DISABLED', atLeast: 0.99, env: { OTEL_SDK_DISABLED: 'true' } },
  { what: '1 % sampled', atLeast: 0.92, env: SAMPLED },
  { what: 'all sampled and exported', atLeast: 0.75, env: {} },
] as const satisfies readonly { what: string; atLeast: number; env: Env }[]

/** How often a process is measured, warmed up. */
const TIMES = 3

/** How one process of a service is measured. */
interface Measured {
  /** Until all that is used often is compiled. */
  warmUp(): Promise<unknown>
  measure(): Promise<number>
}

/** Starts a process of a service; what it opens is closed with the stack. */
type StartMeasured = (env: Env, opened: AsyncDisposableStack) => Promise<Measured>

/** How often the rows of {@link tracedRows} are measured. */
const TRACED_ROUNDS = 16

/**
 * Rows of a service traced in each way, beside itself untraced. Two processes of one program may differ by a tenth, by how they happen to
 * be compiled and laid out in memory: so each round has a new process of each kind.
 */
async function tracedRows(name: string, opened: AsyncDisposableStack, start: StartMeasured): Promise<readonly Row[]> {
  const collector = await startCollector(opened)
  const peer = inNewProcess('untraced', start, {})
  return TRACED_ROWS.map(({ what, atLeast, env }) => ({
    what,
    atLeast,
    ours: inNewProcess(name, start, { ...collector, ...env }),
    peer,
  }))
}

/** Starts a collector that drops what it gets, and gives the variables of a service that exports to it. */
export async function startCollector(opened: AsyncDisposableStack): Promise<Env> {
  const { url } = opened.use(await startServer(new URL('./collector-main.ts', import.meta.url), { isPinned: false }))
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url }
}

/** A contender that is a new process each time, and whose rate is the mean of several times. */
function inNewProcess(name: string, start: StartMeasured, env: Env): Contender {
  return contender(name, async () => {
    await using ownStack = new AsyncDisposableStack()
    const process = await start(env, ownStack)
    await process.warmUp()
    let seconds = 0
    for (let count = 0; count < TIMES; count += 1) seconds += 1 / (await process.measure())
    return TIMES / seconds
  })
}

/** The load of a service that answers requests: until it is warm, and each time that it is measured. */
const REQUEST_SECONDS = { warmUp: 4, measured: 0.5 }
/** How often events are measured until the platform is warm. */
const EVENT_WARM_UPS = 4

/** `/secure/claim` traced, beside itself untraced. */
export async function openTracedClaimsArea(opened: AsyncDisposableStack): Promise<Area> {
  const claims = await openClaims()
  const load = opened.use(startLoad())
  const authorizations = await claims.tokens(KNOWN_TOKENS)
  return {
    unit: 'requests per second of server CPU',
    rounds: TRACED_ROUNDS,
    rows: await tracedRows(APPS.claims, opened, async (env, ownStack) => {
      const server = ownStack.use(await startClaims(claims, env))
      const request = { path: CLAIM_PATH, authorizations }
      return {
        warmUp: load.contender(APPS.claims, server, { ...request, seconds: REQUEST_SECONDS.warmUp }).measure,
        measure: load.contender(APPS.claims, server, { ...request, seconds: REQUEST_SECONDS.measured }).measure,
      }
    }),
  }
}

/** From a post to the platform, through Kafka's log on disk, to two sinks; the CPU time is that of platform and Kafka. */
export async function openTracedEventsArea(opened: AsyncDisposableStack): Promise<Area> {
  const { urls, ...both } = await openSinks(opened)
  return {
    unit: 'events per second of CPU',
    rounds: TRACED_ROUNDS,
    rows: await tracedRows(APPS.events, opened, async (env, ownStack) => {
      const { url, pids } = await startBroker(urls, ownStack, { env })
      const { measure } = deliveries({ ...both, pids }).through(APPS.events, [url])
      return {
        measure,
        async warmUp() {
          for (let count = 0; count < EVENT_WARM_UPS; count += 1) await measure()
        },
      }
    }),
  }
}
