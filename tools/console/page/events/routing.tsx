import type { Eventing, EventingObject } from '../../src/api/eventing.ts'
import { href } from '../address.ts'
import { count } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'
import { VerdictsOf, verdictsOf } from '../verdicts/verdicts.tsx'

type Trigger = Eventing['triggers'][number]

export function Routing({ eventing: { brokers, triggers, sinks } }: { eventing: Eventing }) {
  const lost = triggers.filter((trigger) => !brokers.some((broker) => isAt(trigger, broker)))
  return (
    <section class="card stack" aria-label="Routing">
      {brokers.map((broker) => (
        <div key={`${broker.namespace}/${broker.name}`} class="routing">
          <div class="route-broker">
            <span class="muted">broker</span>
            <strong>
              {broker.namespace}/{broker.name}
            </strong>
            <Ready object={broker} part={`broker/${broker.namespace}/${broker.name}`} />
          </div>
          <Triggers triggers={triggers.filter((trigger) => isAt(trigger, broker))} sinks={sinks} />
        </div>
      ))}
      {lost.length > 0 && (
        <div class="routing">
          <strong class="route-broker">broker does not exist</strong>
          <Triggers triggers={lost} sinks={sinks} />
        </div>
      )}
    </section>
  )
}

function isAt(trigger: Trigger, broker: EventingObject): boolean {
  return trigger.broker === broker.name && trigger.namespace === broker.namespace
}

function Triggers({ triggers, sinks }: Pick<Eventing, 'triggers' | 'sinks'>) {
  return (
    <ul class="route-triggers">
      {triggers.map((trigger) => (
        <li key={`${trigger.namespace}/${trigger.name}`}>
          <div class="route-box">
            <a href={href('events', [], { trigger: `${trigger.namespace}/${trigger.name}` })}>{trigger.name}</a>
            <code class="break">{filterText(trigger.filter)}</code>
            <Ready object={trigger} part={`trigger/${trigger.namespace}/${trigger.name}`} />
            {trigger.deadLetterSink !== undefined && (
              <small class="muted break">dead letters to {trigger.deadLetterSink}</small>
            )}
          </div>
          <Sink trigger={trigger} sinks={sinks} />
        </li>
      ))}
    </ul>
  )
}

/** The state of an object; its message is shown only while no verdict names the cause. */
function Ready({ object: { ready, reason, message }, part }: { object: EventingObject; part: string }) {
  const isNamed = verdictsOf([part]).some(({ severity }) => severity === 'error')
  const isOpen = ready !== 'True' && !isNamed
  return (
    <>
      <State state={ready === 'True' ? 'ready' : ready === 'False' ? 'not ready' : 'unknown'} />
      {isOpen && message !== undefined && <span class="break">{message}</span>}
      {isOpen && reason !== undefined && <small class="muted break">{reason}</small>}
      <VerdictsOf parts={[part]} />
    </>
  )
}

interface SinkProps {
  readonly trigger: Trigger
  readonly sinks: Eventing['sinks']
}

function Sink({ trigger: { subscriber, wants, ready }, sinks }: SinkProps) {
  const sink = sinks.find(({ url }) => url !== '' && subscriber.startsWith(url))
  if (sink === undefined && subscriber === '') {
    return (
      <div class={ready === 'False' ? 'route-box break missing' : 'route-box break muted'}>
        {wants} <small class="muted">has no address</small>
      </div>
    )
  }
  if (sink === undefined) return <div class="route-box break muted">{subscriber}</div>
  return (
    <div class={sink.instances === 0 ? 'route-box asleep' : 'route-box'}>
      <a href={href('services', ['sinks', sink.namespace, sink.name])}>{sink.name}</a>
      <span class="instances">
        {sink.instances === 0 ? (
          <span class="zzz">asleep</span>
        ) : (
          <>
            {Array.from({ length: Math.min(12, sink.instances) }, (_, index) => (
              <span key={String(index)} class="instance" />
            ))}
            {count(sink.instances, 'instance')}
          </>
        )}
      </span>
      <VerdictsOf parts={[`sink/${sink.namespace}/${sink.name}`]} />
    </div>
  )
}

/** `type = greeting` for exact attributes, else the filter as it is. */
function filterText(filter: unknown): string {
  if (filter === undefined || filter === null) return 'all events'
  const attributes = (filter as { attributes?: unknown }).attributes
  if (typeof attributes === 'object' && attributes !== null)
    return Object.entries(attributes)
      .map(([name, value]) => `${name} = ${value === '' ? 'any' : String(value)}`)
      .join(', ')
  return JSON.stringify(filter)
}
