import type { ComponentChildren } from 'preact'
import type { ServiceView, SinkView } from '../../src/api/services.ts'
import type { Overview } from '../../src/api/system.ts'
import { href } from '../address.ts'
import { bytes, count, duration, rate, short } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'
import { VerdictLines, verdictsOf } from '../verdicts/verdicts.tsx'
import { ServiceAction } from './service-action.tsx'
import { type Traffic, trafficOf } from './traffic.ts'

/** Titles of the columns, and the classes of their cells. Cells of the class `second` are left out on narrow screens. */
export const COLUMNS = [
  ['Name'],
  ['State'],
  ['Instances', 'number second'],
  ['Rate', 'number'],
  ['Errors', 'number'],
  ['p95', 'number'],
  ['CPU', 'number second'],
  ['Memory', 'number'],
  ['Up', 'number second'],
  ['Revision', 'revision'],
  ['Open', 'links'],
  ['Actions', 'actions'],
] as const

interface ServiceRowProps {
  readonly service: ServiceView
  readonly overview: Overview | undefined
}

export function ServiceRow({ service, overview }: ServiceRowProps) {
  const { name, kind, state, pid, startedAt, crashes } = service
  const ids = ['service', 'remote', 'kafka'].map((node) => `${node}/${name}`)
  const traffic = ids.map((id) => trafficOf(overview, id)).find((each) => each !== undefined)
  return (
    <Row
      name={name}
      address={href('services', [name])}
      logs={name}
      state={state}
      note={crashes > 0 && <span class="chip bad">{count(crashes, 'crash', 'crashes')}</span>}
      instances={pid === undefined ? 0 : 1}
      traffic={traffic}
      processes={[service]}
      startedAt={startedAt}
      parts={[...ids, `channel/${name}`]}
    >
      <ServiceAction service={service} action={state === 'stopped' ? 'start' : 'restart'} />
      {/* A console that is stopped could not be started from here. */}
      {kind !== 'console' && state !== 'stopped' && <ServiceAction service={service} action="stop" />}
    </Row>
  )
}

interface SinkRowProps extends Pick<ServiceRowProps, 'overview'> {
  readonly sink: SinkView
  /** Processes of the system, with those of sinks. */
  readonly processes: readonly ServiceView[]
}

export function SinkRow({ sink, processes, overview }: SinkRowProps) {
  const { namespace, name, app, revision, state, instances } = sink
  const id = `sink/${namespace}/${name}`
  return (
    <Row
      name={name}
      address={href('services', ['sinks', namespace, name])}
      logs={app}
      state={state}
      instances={instances.length}
      traffic={trafficOf(overview, id)}
      processes={processes.filter((process) => instances.some(({ pid }) => pid === process.pid))}
      revision={revision}
      parts={[id]}
    />
  )
}

interface RowProps {
  readonly name: string
  readonly address: string
  /** The name by which its log lines and spans are known. */
  readonly logs: string
  readonly state: string
  readonly note?: ComponentChildren
  readonly instances: number
  readonly traffic: Traffic | undefined
  readonly processes: readonly ServiceView[]
  readonly startedAt?: number | undefined
  readonly revision?: string
  /** Parts whose verdicts stand below the row. */
  readonly parts: readonly string[]
  /** Buttons. */
  readonly children?: ComponentChildren
}

function Row(props: RowProps) {
  const { name, address, logs, state, note, instances, traffic, processes, startedAt, revision, parts, children } =
    props
  const cpu = sumOf(processes, ({ cpu: used }) => used)
  const memory = sumOf(processes, ({ memoryBytes }) => memoryBytes)
  const hasVerdict = verdictsOf(parts).length > 0
  return (
    <>
      <tr class={hasVerdict ? 'service with-verdict' : 'service'} data-row="" tabIndex={-1}>
        <th scope="row">
          <a href={address}>{name}</a>
        </th>
        <td>
          <State state={state} /> {note}
        </td>
        <td class="number second">{instances}</td>
        <td class="number">{traffic === undefined ? NOTHING : rate(traffic.rate)}</td>
        <td class="number">{errorsOf(traffic)}</td>
        <td class="number">{traffic?.p95Ms === undefined ? NOTHING : duration(traffic.p95Ms)}</td>
        <td class="number second">{cpu === undefined ? NOTHING : `${short(cpu * 100)} %`}</td>
        <td class="number">{memory === undefined ? NOTHING : bytes(memory)}</td>
        <td class="number second">
          {startedAt === undefined ? NOTHING : duration(Math.max(0, Date.now() - startedAt))}
        </td>
        <td class="revision">{revision || NOTHING}</td>
        <td class="links">
          <a href={href('logs', [], { service: logs })}>Logs</a>{' '}
          <a href={href('traces', [], { service: logs })}>Traces</a>{' '}
          <a href={href('metrics', [], { service: logs })}>Metrics</a>
        </td>
        <td class="actions">{children}</td>
      </tr>
      {hasVerdict && (
        <tr class="verdict-row">
          <td colSpan={COLUMNS.length}>
            <VerdictLines parts={parts} />
          </td>
        </tr>
      )}
    </>
  )
}

const NOTHING = <span class="muted">–</span>

function errorsOf(traffic: Traffic | undefined): ComponentChildren {
  if (traffic === undefined) return NOTHING
  if (traffic.errorRate === 0) return '0'
  return <span class="chip bad">{short((100 * traffic.errorRate) / traffic.rate)} %</span>
}

/** The sum of the known values; undefined where none is known. */
function sumOf(
  processes: readonly ServiceView[],
  read: (process: ServiceView) => number | undefined,
): number | undefined {
  const known = processes.flatMap((process) => read(process) ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0)
}
