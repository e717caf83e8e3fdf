import type { Random } from '../../harness/random.ts'
import { HOSTILE_URIS, resourceJson, yamlOf } from '../kit/manifest-text.ts'
import { inPlaces, JSON_SHAPES, MEMBER_SHAPES, type Shape, TEXT_SHAPES } from '../kit/shapes.ts'
import { hostileText } from '../kit/text.ts'
import type { Example } from '../servers/http-input.ts'
import type { HttpTargetOptions } from '../servers/http-target.ts'
import { get } from './apps.ts'

/** Paths of the objects of each kind. */
export const COLLECTIONS: Readonly<Record<string, string>> = {
  Broker: '/apis/eventing.knative.dev/v1/namespaces/default/brokers',
  Trigger: '/apis/eventing.knative.dev/v1/namespaces/default/triggers',
  Service: '/apis/serving.knative.dev/v1/namespaces/default/services',
  Namespace: '/api/v1/namespaces',
}

const DOCUMENTS = [
  ...'/api /apis /api/v1 /openapi/v3 /version /livez'.split(' '),
  '/openapi/v3/apis/eventing.knative.dev/v1',
]

function sent(method: string, path: string, subtype: string, body: string): Example {
  return { method, path, headers: [['Content-Type', `application/${subtype}`]], body }
}

export function resourceRequest(random: Random): Example {
  const kind = random.pick(Object.keys(COLLECTIONS))
  const collection = COLLECTIONS[kind] ?? ''
  // None that the probes need.
  const name = random.pick(['fuzz', 'fuzz', 'other', hostileText(random)])
  const object = `${collection}/${encodeURIComponent(name.toWellFormed())}`
  const json = resourceJson(random, kind, name)
  const patches = ['merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml']
  const operation = random.pick(['add', 'replace', 'test'])
  return random.pick<() => Example>([
    () => sent('POST', collection, 'json', json),
    () => sent('POST', collection, 'yaml', yamlOf(random, json)),
    () => sent('PUT', object, 'json', json),
    () => sent('PATCH', object, random.pick(patches), json),
    () => sent('PATCH', object, 'json-patch+json', `[{"op":"${operation}","path":"/spec/x","value":${json}}]`),
    () => ({ method: 'DELETE', path: object }),
    () => get(object),
    () => get(`${collection}?watch=true&timeoutSeconds=1`),
    () =>
      get(`${collection}?labelSelector=${encodeURIComponent(hostileText(random).toWellFormed())}`, [
        'Accept',
        'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
      ]),
    () => get(random.pick(DOCUMENTS)),
  ])()
}

/** A post of an object, after the one before it is deleted: an object that exists already would be refused unread. */
function createdAgain(kind: string, spec: string): readonly Example[] {
  return [{ method: 'DELETE', path: `${COLLECTIONS[kind]}/fuzz` }, object(kind, spec)]
}

function object(kind: string, spec: string, subtype = 'json'): Example {
  const group = kind === 'Service' ? 'serving' : 'eventing'
  const text = `{"apiVersion":"${group}.knative.dev/v1","kind":"${kind}","metadata":{"name":"fuzz"},"spec":${spec}}`
  return sent('POST', COLLECTIONS[kind] ?? '', subtype, text)
}

const REF = '"ref":{"apiVersion":"serving.knative.dev/v1","kind":"Service","name":"eventingaloha"}'
/** Destinations with and without an object, that readers interpret differently. */
const DESTINATIONS: readonly Shape<string>[] = HOSTILE_URIS.flatMap((uri, index): Shape<string>[] => [
  [`URI ${index}`, () => `{"uri":${JSON.stringify(uri)}}`],
  [`URI ${index} of an object`, () => `{${REF},"uri":${JSON.stringify(uri)}}`],
])

/** Destinations that readers interpret differently, and hostile shapes in every place of an object. */
export function resourceShapes(): NonNullable<HttpTargetOptions['shapes']> {
  const yaml = (text: string) => sent('POST', COLLECTIONS['Broker'] ?? '', 'yaml', text)
  return [
    ...inPlaces(DESTINATIONS, {
      subscriber: (uri) =>
        createdAgain('Trigger', `{"broker":"default","filter":{"attributes":{"type":"none"}},"subscriber":${uri}}`),
      'dead letter sink': (uri) => createdAgain('Broker', `{"delivery":{"deadLetterSink":${uri}}}`),
    }),
    ...inPlaces<string, Example | readonly Example[]>(JSON_SHAPES, {
      config: (json) => createdAgain('Broker', `{"config":${json}}`),
      filters: (json) =>
        object('Trigger', `{"broker":"default","subscriber":{"uri":"http://127.0.0.1:9"},"filters":${json}}`),
      template: (json) => createdAgain('Service', `{"template":${json}}`),
      // Reading it must not exhaust the memory of the process, also the second time, when there is least left.
      'YAML as it is, once': yaml,
      'YAML as it is, again': yaml,
      YAML: (json) => object('Broker', json, 'yaml'),
      'merge patch': (json) => sent('PATCH', `${COLLECTIONS['Broker']}/default`, 'merge-patch+json', json),
    }),
    ...inPlaces(TEXT_SHAPES, { config: (text) => object('Broker', JSON.stringify({ config: { text } })) }),
    ...inPlaces(MEMBER_SHAPES, {
      config: (pairs) => object('Broker', JSON.stringify({ config: Object.fromEntries(pairs) })),
    }),
  ]
}
