import type { BreakerView } from '../../src/api/breakers.ts'
import type { Eventing } from '../../src/api/eventing.ts'
import type { Fault, OperationView } from '../../src/api/requests.ts'
import type { SystemView } from '../../src/api/system.ts'

/** An event to send: a type that the filter of a trigger names, and the trigger's broker. */
export interface ChosenEvent {
  readonly type: string
  /** `namespace/name` */
  readonly broker: string
}

/** A greeting where a trigger takes one, else the first type that a trigger takes. */
export function chosenEvent({ triggers }: Pick<Eventing, 'triggers'>): ChosenEvent | undefined {
  const events = triggers.flatMap(({ namespace, broker, filter }) => {
    const type = typeOf(filter)
    return type === undefined ? [] : [{ type, broker: `${namespace}/${broker}` }]
  })
  return events.find(({ type }) => type === 'greeting') ?? events[0]
}

function typeOf(filter: unknown): string | undefined {
  const type = (filter as { readonly attributes?: { readonly type?: unknown } } | null | undefined)?.attributes?.type
  return typeof type === 'string' && type !== '' ? type : undefined
}

/** A breaker to open: the stand-in that fails for it, and a request that calls the stand-in. */
export interface ChosenBreaker {
  readonly service: string
  readonly name: string
  readonly standIn: string
  readonly path: string
}

interface Known {
  readonly apps: SystemView['apps']
  readonly breakers: readonly Pick<BreakerView, 'service' | 'name'>[]
  readonly faults: readonly Pick<Fault, 'target' | 'kind' | 'modes'>[]
  readonly operations: readonly OperationView[]
}

/** The first breaker of a service with a stand-in that can fail, and with a path that needs no input. */
export function chosenBreaker({ apps, breakers, faults, operations }: Known): ChosenBreaker | undefined {
  for (const { service, name } of breakers) {
    const app = apps.find((each) => each.name === service)
    const standIn = faults.find(
      ({ target, kind, modes }) =>
        kind === 'stand-in' && modes.includes('failing') && app?.standIns.includes(target) === true,
    )?.target
    const path = operations.find((one) => isSimple(one) && app?.serves.includes(one.path) === true)?.path
    if (standIn !== undefined && path !== undefined) return { service, name, standIn, path }
  }
  return undefined
}

/** True for a `GET` that needs nothing but its path. */
export function isSimple({ method, path, parameters, streams, isProtected }: OperationView): boolean {
  const needsInput = isProtected || parameters.some((one) => one.isRequired)
  return method === 'GET' && !streams && !needsInput && !path.startsWith('/q/')
}

/** The path of the first stream of events that needs no input. */
export function chosenStream(operations: readonly OperationView[]): string | undefined {
  return operations.find((one) => one.streams && isSimple({ ...one, streams: false }))?.path
}
