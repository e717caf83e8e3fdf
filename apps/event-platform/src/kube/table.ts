import { isJsonObject } from '@taproom/core/limits'
import { findCondition } from '../resources/conditions.ts'
import type { KindName } from '../resources/kinds.ts'
import type { KubeObject } from '../resources/object.ts'
import { humanDuration } from './human-duration.ts'

interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'date'
  readonly format?: string
  readonly description: string
  /** 0: always shown; 1: only by `-o wide`. */
  readonly priority: 0 | 1
  readonly cell: (object: KubeObject, now: Date) => unknown
}

/** How much of each object a row includes. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

const NAME: Column = {
  ...text('Name', 'Name of the object, unique within its namespace.', ({ metadata }) => metadata.name),
  format: 'name',
}
const AGE: Column = { ...text('Age', 'Time since the object was created.', age), type: 'date' }
const READY = text('Ready', 'Whether the object can be used.', (object) => findCondition(object, 'Ready')?.['status'])
const REASON = text('Reason', 'Why it cannot.', (object) => findCondition(object, 'Ready')?.['reason'])

/** Columns of Knative's resource definitions; a service also shows its number of instances. */
const COLUMNS: Readonly<Record<KindName, readonly Column[]>> = {
  Namespace: [NAME, text('Status', 'Phase of the namespace.', ({ status }) => status?.['phase']), AGE],
  Broker: [NAME, text('URL', 'Address for events.', brokerAddress), AGE, READY, REASON],
  Trigger: [
    NAME,
    text('Broker', 'Broker it belongs to.', ({ spec }) => spec?.['broker']),
    text('Subscriber_URI', 'Where its events go.', ({ status }) => status?.['subscriberUri']),
    AGE,
    READY,
    REASON,
  ],
  EventPolicy: [NAME, AGE, READY, REASON],
  Service: [
    NAME,
    text('URL', 'Address for requests.', ({ status }) => status?.['url']),
    text('LatestCreated', 'Newest revision.', ({ status }) => status?.['latestCreatedRevisionName']),
    text('LatestReady', 'Newest revision that can be used.', ({ status }) => status?.['latestReadyRevisionName']),
    READY,
    REASON,
    {
      ...text('Instances', 'Running instances; 0 while nobody asks.', ({ status }) => status?.['actualReplicas']),
      type: 'integer',
    },
  ],
}

/** A `meta.k8s.io/v1` Table. */
export function tableOf(
  kind: KindName,
  objects: readonly KubeObject[],
  options: {
    readonly resourceVersion: string
    readonly includeObject: IncludeObject
    readonly now: Date
    /** False after a watch's first line. */
    readonly withColumns: boolean
  },
): object {
  const columns = COLUMNS[kind]
  const definitions = columns.map(({ cell: _cell, ...definition }) => ({ format: '', ...definition }))
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: options.resourceVersion },
    columnDefinitions: options.withColumns ? definitions : [],
    rows: objects.map((object) => ({
      cells: columns.map(({ cell }) => cell(object, options.now) ?? null),
      object: rowObject(object, options.includeObject),
    })),
  }
}

function rowObject(object: KubeObject, include: IncludeObject): object | null {
  if (include === 'None') return null
  if (include === 'Object') return object
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata }
}

function text(name: string, description: string, cell: Column['cell']): Column {
  return { name, type: 'string', description, priority: 0, cell }
}

function age({ metadata }: KubeObject, now: Date): string {
  return humanDuration((now.getTime() - Date.parse(metadata.creationTimestamp ?? now.toISOString())) / 1000)
}

function brokerAddress({ status }: KubeObject): unknown {
  const address = status?.['address']
  return isJsonObject(address) ? address['url'] : undefined
}
