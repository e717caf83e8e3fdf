import { HOSTILE_URIS, resourceJson, yamlOf } from '../kit/manifest-text.ts'
import type { Random } from '../kit/random.ts'
import { JSON_SHAPES, MEMBER_SHAPES, TEXT_SHAPES } from '../kit/shapes.ts'
import { hostileText } from '../kit/text.ts'
import type { Example } from '../servers/http-input.ts'
import type { HttpTargetOptions } from '../servers/http-target.ts'

/** Paths of the objects of each kind. */
export const COLLECTIONS: Readonly<Record<string, string>> = {
  Broker: '/apis/eventing.knative.dev/v1/namespaces/default/brokers',
  Trigger: '/apis/eventing.knative.dev/v1/namespaces/default/triggers',
  Service: '/apis/serving.knative.dev/v1/namespaces/default/services',
  Namespace: '/api/v1/namespaces',
}

export function resourceRequest(random: Random): Example {
  const kind = random.pick(Object.keys(COLLECTIONS))
  const collection = COLLECTIONS[kind] ?? ''
  // None that the probes need.
  const name = random.pick(['fuzz', 'fuzz', 'other', hostileText(random)])
  const object = `${collection}/${encodeURIComponent(name.toWellFormed())}`
  const json = {
    method: 'POST',
    path: collection,
    headers: [['Content-Type', 'application/json']],
    body: resourceJson(random, kind, name),
  } as const
  return random.pick<() => Example>([
    () => json,
    () => ({ ...json, headers: [['Content-Type', 'application/yaml']], body: yamlOf(random, json.body) }),
    () => ({ ...json, method: 'PUT', path: object }),
    () => ({
      ...json,
      method: 'PATCH',
      path: object,
      headers: [
        [
          'Content-Type',
          random.pick([
            'application/merge-patch+json',
            'application/strategic-merge-patch+json',
            'application/apply-patch+yaml',
          ]),
        ],
      ],
    }),
    () => ({
      method: 'PATCH',
      path: object,
      headers: [['Content-Type', 'application/json-patch+json']],
      body: `[{"op":"${random.pick(['add', 'replace', 'test'])}","path":"/spec/x","value":${json.body}}]`,
    }),
    () => ({ method: 'DELETE', path: object }),
    () => ({ method: 'GET', path: object }),
    () => ({ method: 'GET', path: `${collection}?watch=true&timeoutSeconds=1` }),
    () => ({
      method: 'GET',
      path: `${collection}?labelSelector=${encodeURIComponent(hostileText(random).toWellFormed())}`,
      headers: [['Accept', 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json']],
    }),
    () => ({
      method: 'GET',
      path: random.pick([
        '/api',
        '/apis',
        '/api/v1',
        '/openapi/v3',
        '/openapi/v3/apis/eventing.knative.dev/v1',
        '/version',
        '/livez',
      ]),
    }),
  ])()
}

/** Destinations that readers interpret differently, and hostile shapes in every place of an object. */
export function resourceShapes(): NonNullable<HttpTargetOptions['shapes']> {
  const object = (kind: string, spec: string): Example => ({
    method: 'POST',
    path: COLLECTIONS[kind] ?? '',
    headers: [['Content-Type', 'application/json']],
    body: `{"apiVersion":"${kind === 'Service' ? 'serving' : 'eventing'}.knative.dev/v1","kind":"${kind}","metadata":{"name":"fuzz"},"spec":${spec}}`,
  })
  /** Created again for each shape: an object that exists already would be refused unread. */
  const createdAgain = (example: Example): readonly Example[] => [
    { method: 'DELETE', path: `${example.path}/fuzz` },
    example,
  ]
  return [
    ...HOSTILE_URIS.flatMap((uri, index) => {
      const ref = '"ref":{"apiVersion":"serving.knative.dev/v1","kind":"Service","name":"eventingaloha"}'
      return [`{"uri":${JSON.stringify(uri)}}`, `{${ref},"uri":${JSON.stringify(uri)}}`].flatMap((destination) => [
        {
          name: `subscriber ${index}`,
          make: () =>
            createdAgain(
              object(
                'Trigger',
                `{"broker":"default","filter":{"attributes":{"type":"none"}},"subscriber":${destination}}`,
              ),
            ),
        },
        {
          name: `dead letter sink ${index}`,
          make: () => createdAgain(object('Broker', `{"delivery":{"deadLetterSink":${destination}}}`)),
        },
      ])
    }),
    ...JSON_SHAPES.flatMap(({ name, make }) => [
      { name: `config: ${name}`, make: () => createdAgain(object('Broker', `{"config":${make()}}`)) },
      {
        name: `filters: ${name}`,
        make: () =>
          object('Trigger', `{"broker":"default","subscriber":{"uri":"http://127.0.0.1:9"},"filters":${make()}}`),
      },
      { name: `template: ${name}`, make: () => createdAgain(object('Service', `{"template":${make()}}`)) },
      // Reading it must not exhaust the memory of the process, also the second time, when there is least left.
      ...['once', 'again'].map((time) => ({
        name: `YAML as it is, ${time}: ${name}`,
        make: (): Example => ({
          ...object('Broker', '{}'),
          headers: [['Content-Type', 'application/yaml']],
          body: make(),
        }),
      })),
      {
        name: `YAML: ${name}`,
        make: (): Example => ({ ...object('Broker', make()), headers: [['Content-Type', 'application/yaml']] }),
      },
      {
        name: `merge patch: ${name}`,
        make: (): Example => ({
          method: 'PATCH',
          path: `${COLLECTIONS['Broker']}/default`,
          headers: [['Content-Type', 'application/merge-patch+json']],
          body: make(),
        }),
      },
    ]),
    ...TEXT_SHAPES.map(({ name, make }) => ({
      name: `config: ${name}`,
      make: () => object('Broker', JSON.stringify({ config: { text: make() } })),
    })),
    ...MEMBER_SHAPES.map(({ name, make }) => ({
      name: `config: ${name}`,
      make: () => object('Broker', JSON.stringify({ config: Object.fromEntries(make()) })),
    })),
  ]
}
