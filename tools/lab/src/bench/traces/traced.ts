import type { Contender, Row } from '../area.ts'
import { startServer } from '../server-process.ts'

export type Env = Readonly<Record<string, string>>

/** One trace of a hundred is recorded. */
export const SAMPLED: Env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' }

/** What is compared with the same service untraced. */
const TRACED_ROWS = [
  { what: 'OTEL_SDK_DISABLED', atLeast: 0.99, env: { OTEL_SDK_DISABLED: 'true' } },
  { what: '1 % sampled', atLeast: 0.92, env: SAMPLED },
  { what: 'all sampled and exported', atLeast: 0.75, env: {} },
] as const satisfies readonly { what: string; atLeast: number; env: Env }[]

/** How often a process is measured, warmed up. */
const TIMES = 3

/** What one process of a service is measured by. */
interface Measured {
  /** Until all that is used often is compiled. */
  warmUp(): Promise<unknown>
  measure(): Promise<number>
}

/** Starts a process of a service; what it opens is closed with the stack. */
export type StartMeasured = (env: Env, opened: AsyncDisposableStack) => Promise<Measured>

/** How often the rows of {@link tracedRows} are measured. */
export const TRACED_ROUNDS = 16

/**
 * Rows of a service traced in each way, beside itself untraced. Two processes of one program may differ by a tenth, by how they happen to
 * be compiled and laid out in memory: so each round has a new process of each kind.
 */
export async function tracedRows(
  name: string,
  opened: AsyncDisposableStack,
  start: StartMeasured,
): Promise<readonly Row[]> {
  const collector = await startCollector(opened)
  const peer = anew('untraced', start, {})
  return TRACED_ROWS.map(({ what, atLeast, env }) => ({
    what,
    atLeast,
    ours: anew(name, start, { ...collector, ...env }),
    peer,
  }))
}

/** Starts a collector that drops what it gets, and gives the variables of a service that exports to it. */
export async function startCollector(opened: AsyncDisposableStack): Promise<Env> {
  const { url } = opened.use(await startServer(new URL('./collector-main.ts', import.meta.url), { isPinned: false }))
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url }
}

/** A contender that is a new process each time: what it is measured by is the mean of several times. */
function anew(name: string, start: StartMeasured, env: Env): Contender {
  return {
    name,
    async measure() {
      await using ownStack = new AsyncDisposableStack()
      const process = await start(env, ownStack)
      await process.warmUp()
      let seconds = 0
      for (let count = 0; count < TIMES; count += 1) seconds += 1 / (await process.measure())
      return TIMES / seconds
    },
  }
}
