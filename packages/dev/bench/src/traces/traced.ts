import type { Contender, Row } from '../area.ts'
import { startServer } from '../server-process.ts'

export type Env = Readonly<Record<string, string>>

/** What is compared with the same service untraced. */
const TRACED_ROWS = [
  { what: 'OTEL_SDK_DISABLED', atLeast: 0.99, env: { OTEL_SDK_DISABLED: 'true' } },
  {
    what: '1 % sampled',
    atLeast: 0.95,
    env: { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' },
  },
  { what: 'all sampled and exported', atLeast: 0.75, env: {} },
] as const satisfies readonly { what: string; atLeast: number; env: Env }[]

/** Two processes of one program may differ by a tenth, by how they happen to be compiled and laid out in memory. */
const PROCESSES = 3

/** What one process of a service is measured by. */
interface Measured {
  /** Until all that is used often is compiled. */
  warmUp(): Promise<unknown>
  measure(): Promise<number>
}

/** Rows of a service traced in each way, beside itself untraced: three processes of each kind, which are measured in turn. */
export async function tracedRows(
  name: string,
  opened: AsyncDisposableStack,
  start: (env: Env) => Promise<Measured>,
): Promise<readonly Row[]> {
  const collector = await startCollector(opened)
  const kind = async (called: string, env: Env): Promise<Contender> => {
    const processes: Measured[] = []
    for (let count = 0; count < PROCESSES; count += 1) processes.push(await start(env))
    return inTurn(called, processes)
  }
  const peer = await kind('untraced', {})
  const rows: Row[] = []
  for (const { what, atLeast, env } of TRACED_ROWS) {
    rows.push({ what, atLeast, ours: await kind(name, { ...collector, ...env }), peer })
  }
  return rows
}

/** Starts a collector that drops what it gets, and gives the variables of a service that exports to it. */
async function startCollector(opened: AsyncDisposableStack): Promise<Env> {
  const { url } = opened.use(await startServer(new URL('./collector-main.ts', import.meta.url), { isPinned: false }))
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url }
}

function inTurn(name: string, processes: readonly Measured[]): Contender {
  let turn = 0
  return {
    name,
    async measure() {
      if (turn === 0) for (const each of processes) await each.warmUp()
      const next = processes[turn % processes.length]
      turn += 1
      return (await next?.measure()) ?? Number.NaN
    },
  }
}
