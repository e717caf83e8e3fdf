import type { Random } from '../../harness/random.ts'
import { arrayOf, jsonValue, knownMembers, knownObject, objectOf } from './json.ts'
import { anyUnicode, hostilePiece, hostileText, several, word } from './text.ts'

/** URIs that readers interpret differently. */
export const HOSTILE_URIS: readonly string[] = [
  ...'// http://[ http:// http:///x //evil.example/x ///x /\\evil.example http:\\\\evil.example'.split(' '),
  ...'http://a:99999 http://% http://a%00b http://[::1 http://user:pass@host/ http://\u202e.example'.split(' '),
  ...'ftp://x file:///etc/passwd javascript:alert(1) data:,x urn:x'.split(' '),
  ...'/ . .. /../x ? # /%zz /\u0000 /é'.split(' '),
  ...['', ' ', '/a b', 'HTTP://a b', 'http://x'.padEnd(3000, 'y')],
]

const NAMES = ['default', 'a', 'fuzz', 'eventingaloha', 'A', '', 'a.b', 'a'.repeat(64), '__proto__', '../x'].map(
  (name) => JSON.stringify(name),
)
const KINDS: Readonly<Record<string, string>> = {
  Broker: 'eventing.knative.dev/v1',
  Trigger: 'eventing.knative.dev/v1',
  Service: 'serving.knative.dev/v1',
  Namespace: 'v1',
}

/** The JSON text of an object of any kind that the platform keeps, mostly an acceptable one. */
export function resourceJson(random: Random, kind = random.pick(Object.keys(KINDS)), name?: string): string {
  const members = knownMembers(random, {
    apiVersion: [JSON.stringify(KINDS[kind]), JSON.stringify(KINDS[kind]), '"eventing.knative.dev/v1beta1"'],
    kind: [JSON.stringify(kind)],
    metadata: [metadata(random, name)],
    spec: [SPECS[kind]?.(random) ?? '{}'],
  })
  if (random.chance(0.1)) members.push(['status', jsonValue(random)])
  return objectOf(members)
}

function metadata(random: Random, name?: string): string {
  return knownObject(random, {
    name: [name === undefined ? random.pick(NAMES) : JSON.stringify(name)],
    namespace: ['"default"'],
    labels: [stringMap(random)],
    annotations: [
      stringMap(random),
      '{"autoscaling.knative.dev/target":"1e9"}',
      '{"autoscaling.knative.dev/max-scale":"-1"}',
    ],
  })
}

function stringMap(random: Random): string {
  return objectOf(several(random, 3000, () => [hostileText(random), JSON.stringify(hostileText(random))]))
}

const SPECS: Readonly<Record<string, (random: Random) => string>> = {
  Broker: (random) => knownObject(random, { config: [jsonValue(random), '{}'], delivery: [delivery(random)] }),
  Service: service,
  Trigger: (random) =>
    knownObject(random, {
      broker: NAMES,
      filter: ['{"attributes":{"type":"greeting"}}', `{"attributes":${stringMap(random)}}`, '{}'],
      filters: ['[{"exact":{"type":"a"}}]', '[{"not":{"cesql":"1/0 = 1"}}]', '[]', jsonValue(random)],
      subscriber: [destination(random)],
      delivery: [delivery(random)],
    }),
}

function destination(random: Random): string {
  const ref = knownObject(random, {
    apiVersion: ['"serving.knative.dev/v1"', '"v1"'],
    kind: ['"Service"', '"Broker"'],
    name: NAMES,
    namespace: ['"default"', '""'],
  })
  const uri = JSON.stringify(
    random.chance(0.5) ? random.pick(HOSTILE_URIS) : `http://127.0.0.1:9/${hostileText(random)}`,
  )
  return random.pick([`{"ref":${ref}}`, `{"uri":${uri}}`, `{"ref":${ref},"uri":${uri}}`])
}

function delivery(random: Random): string {
  return knownObject(random, {
    deadLetterSink: [destination(random)],
    retry: ['0', '1', '1e9'],
    backoffPolicy: ['"linear"', '"exponential"'],
    backoffDelay: ['"PT0.1S"', '"P1000Y"', '"PT-1S"'],
    timeout: ['"PT1S"'],
  })
}

/** Never one that runs: no image of an app is named. */
function service(random: Random): string {
  const variable = () => JSON.stringify({ name: hostileText(random), value: hostileText(random) })
  const container = knownObject(random, {
    image: ['"nobody/nothing:1"', '"../../etc"', '""'],
    env: [arrayOf(several(random, 1000, variable))],
    ports: ['[{"containerPort":8080}]', '[{"containerPort":-1}]'],
  })
  const template = knownObject(random, {
    metadata: [metadata(random)],
    spec: [`{"containers":[${container}],"containerConcurrency":${random.pick(['0', '1', '1e9'])}}`],
  })
  return `{"template":${template}}`
}

/** YAML around a JSON text, which is YAML, too: with comments, anchors, other documents, tags, block scalars. */
export function yamlOf(random: Random, json: string): string {
  return random.pick([
    () => json,
    () => `---\n${json}\n---\n${json}\n`,
    () => `# ${anyUnicode(random, 5)}\n${json}`,
    () => `a: &a ${json}\nb: *a\nc: [*a, *a]\n`,
    () => `<<: ${json}\nkind: Broker\n`,
    () => `x: !!${word(random)} ${json}\n`,
    () => `x: |${random.pick(['', '-', '+', '9'])}\n  ${json}\n`,
    () => `? ${json}\n: ${hostileText(random)}\n`,
    () => `${hostileText(random)}: ${hostileText(random)}\n${json}`,
    () => `kind: Broker\nmetadata:\n  name: ${hostileText(random)}\nspec: ${json}`,
    () => `- ${json}\n-\t${hostilePiece(random)}`,
  ])()
}
