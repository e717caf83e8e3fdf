import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { startSchemaRegistry } from '../src/index.ts'

/** The members of all answers; each has some of them. */
interface Answer {
  readonly id: number
  readonly version: number
  readonly guid: string
  readonly schema: string
  readonly references: unknown
  readonly error_code: number
  readonly is_compatible: boolean
  readonly messages: readonly string[]
  readonly compatibilityLevel: string
}

/** A registry and a Kafka of its own, in memory. */
export async function startRegistry() {
  const stack = new AsyncDisposableStack()
  const kafka = stack.use(await startEmbeddedKafka())
  const registry = stack.use(await startSchemaRegistry({ bootstrapServers: kafka.bootstrapServers }))
  return {
    ...kafka,
    bootstrapServers: kafka.bootstrapServers,
    url: registry.url,
    ...client(registry.url),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Plain HTTP, as Confluent's documents show it. */
export function client(url: string) {
  async function call(method: string, path: string, body?: unknown) {
    const response = await fetch(url + path, {
      method,
      ...(body !== undefined && {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
      }),
    })
    return { status: response.status, json: (await response.json()) as Answer }
  }
  return {
    call,
    register: (subject: string, schema: unknown, more: object = {}) =>
      call('POST', `/subjects/${encodeURIComponent(subject)}/versions`, { schema: textOf(schema), ...more }),
    /** Status and error code of an answer. */
    refusal: async (method: string, path: string, body?: unknown) => {
      const { status, json } = await call(method, path, body)
      return `${status} ${json.error_code}`
    },
  }
}

function textOf(schema: unknown): string {
  return typeof schema === 'string' ? schema : JSON.stringify(schema)
}

/** An Avro record with one field of type string for each name; `name?` has a default. */
export function user(...fields: readonly string[]) {
  return {
    type: 'record',
    name: 'User',
    fields: fields.map((field) =>
      field.endsWith('?')
        ? { name: field.slice(0, -1), type: ['null', 'string'], default: null }
        : { name: field, type: 'string' },
    ),
  }
}
