import { type BrokerSpec, readBroker } from './broker.ts'
import { type EventPolicySpec, readEventPolicy } from './event-policy.ts'
import type { FieldReader } from './field-reader.ts'
import { type KnativeServiceSpec, readKnativeService } from './knative-service.ts'
import type { KubeObject } from './object.ts'
import { readTrigger, type TriggerSpec } from './trigger.ts'

/** Each kind's parsed specification. */
export interface Specs {
  readonly Namespace: unknown
  readonly Broker: BrokerSpec
  readonly Trigger: TriggerSpec
  readonly EventPolicy: EventPolicySpec
  readonly Service: KnativeServiceSpec
}

/** `Service` is Knative Serving's. */
export type KindName = keyof Specs

export interface Kind<K extends KindName = KindName> {
  readonly kind: K
  /** Empty for Kubernetes' core group. */
  readonly group: string
  /** Objects are stored in the first; all have the same schema. */
  readonly versions: readonly [string, ...string[]]
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly isNamespaced: boolean
  /** Reads the whole object; broken rules go to the reader. */
  read(root: FieldReader): Specs[K] | undefined
  /** Fields of `spec` that cannot change. */
  readonly immutable: readonly string[]
}

const named = <K extends KindName>(kind: K) => ({
  kind,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
})
const EVENTING = {
  group: 'eventing.knative.dev',
  versions: ['v1', 'v1beta1'],
  shortNames: [],
  categories: ['all', 'knative', 'eventing'],
  isNamespaced: true,
  immutable: [],
} as const

export const KINDS: { readonly [K in KindName]: Kind<K> } = {
  Namespace: {
    ...named('Namespace'),
    group: '',
    versions: ['v1'],
    shortNames: ['ns'],
    categories: [],
    isNamespaced: false,
    read: () => ({}),
    immutable: [],
  },
  Broker: {
    ...EVENTING,
    ...named('Broker'),
    read: readBroker,
    immutable: ['config'],
  },
  Trigger: {
    ...EVENTING,
    ...named('Trigger'),
    read: readTrigger,
    immutable: ['broker'],
  },
  EventPolicy: {
    ...EVENTING,
    versions: ['v1alpha1'],
    ...named('EventPolicy'),
    plural: 'eventpolicies',
    read: readEventPolicy,
  },
  Service: {
    ...named('Service'),
    group: 'serving.knative.dev',
    versions: ['v1'],
    shortNames: ['kservice', 'ksvc'],
    categories: ['all', 'knative', 'serving'],
    isNamespaced: true,
    read: readKnativeService,
    immutable: [],
  },
}

/** In order of dependency. */
export const ALL_KINDS: readonly Kind[] = [
  KINDS.Namespace,
  KINDS.EventPolicy,
  KINDS.Broker,
  KINDS.Service,
  KINDS.Trigger,
]

/** `group/version`; in the core group only the version. */
export function apiVersionOf(kind: Kind, version: string = kind.versions[0]): string {
  return kind.group === '' ? version : `${kind.group}/${version}`
}

/** Undefined for kinds that the platform does not have. */
export function kindOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): Kind | undefined {
  return ALL_KINDS.find(
    (candidate) =>
      candidate.kind === kind && candidate.versions.some((version) => apiVersionOf(candidate, version) === apiVersion),
  )
}
