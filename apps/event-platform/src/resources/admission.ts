import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from '@taproom/core/limits'
import { type FieldReader, quoted, readFields } from './field-reader.ts'
import { apiVersionOf, type Kind, kindOf } from './kinds.ts'
import { DNS_LABEL, DNS_LABEL_RULE, isLabelValue, isQualifiedName } from './names.ts'
import { type KubeObject, metadataOf, type ObjectMeta } from './object.ts'
import { brokenObjectLimit } from './object-limits.ts'
import { DEFAULT_BROKER } from './trigger.ts'

/** In its kind's first version, with defaults, without status. */
export interface Admitted {
  readonly kind: Kind
  readonly object: KubeObject
}

/** Gives a namespace its default broker. */
export const INJECTION_LABEL = 'eventing.knative.dev/injection'
/** Lets triggers be listed by broker. */
const BROKER_LABEL = 'eventing.knative.dev/broker'
const BROKER_CLASS_ANNOTATION = 'eventing.knative.dev/broker.class'

const KEY_RULE = 'a key is a name of at most 63 characters, with or without a DNS name and / in front'
const VALUE_RULE =
  'must be empty or at most 63 characters of letters, digits, -, _ and ., with a letter or digit at both ends'

/**
 * Checks an object from a manifest or the resource API and fills in defaults, like Knative's webhooks.
 *
 * @throws {InvalidObjectError} listing every broken rule
 */
export function admit(input: unknown, existing?: KubeObject): Admitted {
  return readFields(subjectOf(input), input, (root) => {
    const broken = brokenObjectLimit(input)
    if (broken !== undefined) {
      root.problem(broken)
      return root.stop()
    }
    const kind = readKind(root)
    const metadata = readMetadata(root.child('metadata').required(), kind)
    const spec = root.child('spec').object()
    const draft: KubeObject = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...(spec && { spec }) }
    const object = withDefaults(draft, String(root.child('apiVersion').value))
    const reader = root.with(object)
    kind.read(reader)
    if (existing !== undefined) checkImmutable(reader, kind, existing)
    return { kind, object }
  })
}

function readKind(root: FieldReader): Kind {
  const apiVersion = root.child('apiVersion').required().string()
  const name = root.child('kind').required().string()
  const kind = apiVersion !== undefined && name !== undefined ? kindOf({ apiVersion, kind: name }) : undefined
  if (kind !== undefined) return kind
  if (apiVersion !== undefined && name !== undefined) {
    root.child('kind').problem(`this platform keeps no ${quoted(name)} of ${quoted(apiVersion)}`)
  }
  return root.stop()
}

function readMetadata(metadata: FieldReader, kind: Kind): ObjectMeta {
  const name = metadata.child('name').required().matching(DNS_LABEL, DNS_LABEL_RULE) ?? ''
  const namespace = metadata.child('namespace').matching(DNS_LABEL, DNS_LABEL_RULE) ?? 'default'
  const labels = readMap(metadata.child('labels'))
  for (const [key, value] of Object.entries(labels ?? {})) {
    if (!isLabelValue(value)) metadata.child('labels').child(key).problem(VALUE_RULE)
  }
  const annotations = readMap(metadata.child('annotations'))
  return {
    name,
    ...(kind.isNamespaced && { namespace }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
  }
}

function readMap(reader: FieldReader): Readonly<Record<string, string>> | undefined {
  const map = reader.stringMap()
  for (const key of Object.keys(map ?? {})) if (!isQualifiedName(key)) reader.child(key).problem(KEY_RULE)
  return map
}

function withDefaults(object: KubeObject, givenVersion: string): KubeObject {
  if (object.kind !== 'Trigger' || object.spec === undefined) return object
  const spec: JsonObject = {
    ...(givenVersion.endsWith('/v1beta1') && { broker: DEFAULT_BROKER }),
    ...object.spec,
    ...subscriberInNamespace(object.spec['subscriber'], object.metadata.namespace),
  }
  const broker = typeof spec['broker'] === 'string' ? { [BROKER_LABEL]: spec['broker'] } : {}
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...broker } }, spec }
}

function subscriberInNamespace(subscriber: unknown, namespace: string | undefined): JsonObject {
  if (!isJsonObject(subscriber) || !isJsonObject(subscriber['ref'])) return {}
  return { subscriber: { ...subscriber, ref: { namespace, ...subscriber['ref'] } } }
}

function checkImmutable(reader: FieldReader, kind: Kind, existing: KubeObject): void {
  for (const field of kind.immutable) {
    const changed = reader.child('spec').child(field)
    if (!isDeepStrictEqual(changed.value, existing.spec?.[field]))
      changed.problem('must not change: delete and create instead')
  }
  const brokerClass = reader.child('metadata').child('annotations').child(BROKER_CLASS_ANNOTATION)
  if (kind.kind === 'Broker' && brokerClass.value !== existing.metadata.annotations?.[BROKER_CLASS_ANNOTATION]) {
    brokerClass.problem('must not change: delete and create instead')
  }
}

function subjectOf(input: unknown): string {
  const { kind } = isJsonObject(input) ? input : {}
  const { name } = metadataOf(input)
  return `${typeof kind === 'string' ? kind.slice(0, 63) : 'object'} ${quoted(typeof name === 'string' ? name : '')}`
}
