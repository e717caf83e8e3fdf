import { useSignal } from '@preact/signals'
import type { Fault, FaultMode } from '../../src/api/requests.ts'
import type { ServiceView } from '../../src/api/services.ts'
import type { Overview } from '../../src/api/system.ts'
import type { Items } from '../api.ts'
import { useLatest, usePolled } from '../live.ts'
import { ZoomedPicture } from '../overview/zoomed-picture.tsx'
import { Action } from '../pieces/action.tsx'
import { Breakable } from '../pieces/breakable.tsx'
import { duration } from '../pieces/format.ts'
import { Empty, Loading, Problem } from '../pieces/notice.tsx'
import { State } from '../pieces/state.tsx'
import { ServiceAction } from '../services/service-action.tsx'
import { MODES, setFault } from './modes.ts'
import { TrafficCard } from './traffic-card.tsx'

/** Injects faults, below the picture that shows their effect. */
export function BreakView() {
  const overview = useLatest<Overview>('/api/overview')
  const asked = useSignal(0)
  const faults = usePolled<Items<Fault>>('/api/faults', 1000, asked.value)
  const services = usePolled<Items<ServiceView>>('/api/services', 2000)
  const known = faults.value.value?.items
  const again = () => {
    asked.value += 1
  }
  return (
    <>
      <div class="head">
        <h1>Faults</h1>
        <p>Inject a fault to see retries, circuit breakers and fallbacks in the picture.</p>
      </div>
      <Problem problem={overview.problem.value ?? faults.problem.value} />
      {overview.value.value !== undefined && <ZoomedPicture overview={overview.value.value} />}
      {known === undefined && faults.problem.value === undefined && <Loading />}
      {known?.length === 0 && (
        <Empty>No faults to inject: this system has neither stand-ins nor the embedded Kafka.</Empty>
      )}
      <ul class="cards">
        <li class="card">
          <TrafficCard />
        </li>
        {(known ?? []).map((fault) => (
          <li key={fault.target} class="card">
            <FaultCard fault={fault} onDone={again} />
          </li>
        ))}
        {services.value.value !== undefined && (
          <li class="card">
            <KillCard services={services.value.value.items} />
          </li>
        )}
      </ul>
    </>
  )
}

function FaultCard({ fault: { target, kind, modes, mode, until }, onDone }: { fault: Fault; onDone: () => void }) {
  const [, effect] = MODES[mode]
  const set = (wanted: FaultMode) => async () => {
    await setFault(target, wanted)
    onDone()
  }
  return (
    <article class="stack" aria-label={target}>
      <div class="head">
        <h2>{target}</h2>
        <State state={mode === 'none' ? 'no fault' : mode} health={mode === 'none' ? 'up' : 'down'} />
      </div>
      <p class="muted">
        {kind === 'kafka' ? 'Kafka broker. ' : 'Stand-in of a remote service. '}
        {mode === 'none' ? '' : effect}
        {until !== undefined && ` Ends in ${duration(Math.max(0, until - Date.now()))}.`}
      </p>
      <div class="row">
        {[...new Set<FaultMode>([...modes, 'none'])]
          .filter((wanted) => wanted !== mode)
          .map((wanted) => (
            <Action
              key={wanted}
              run={set(wanted)}
              done={`${target}: ${MODES[wanted][0]}`}
              label={`${target}: ${MODES[wanted][0]}`}
              kind={wanted === 'none' ? 'main' : 'danger'}
            >
              {MODES[wanted][0]}
            </Action>
          ))}
      </div>
    </article>
  )
}

function KillCard({ services }: { services: readonly ServiceView[] }) {
  return (
    <article class="stack" aria-label="Kill a service">
      <h2>Kill a service</h2>
      <p class="muted">
        Sends SIGKILL to the process. pnpm start starts it again at once; accepted records and events are not lost.
      </p>
      <ul class="kills">
        {services
          .filter(({ kind }) => kind === 'app')
          .map((service) => (
            <li key={service.name}>
              <span class="break">
                <Breakable text={service.name} />
              </span>
              <State state={service.state} />
              <ServiceAction service={service} action="kill" disabled={service.pid === undefined} />
            </li>
          ))}
      </ul>
    </article>
  )
}
