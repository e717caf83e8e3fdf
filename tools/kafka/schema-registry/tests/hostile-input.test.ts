import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeDescriptor, type MessageDescriptor } from '../src/formats/protobuf/descriptor-types.ts'
import { REGISTRY_LIMITS } from '../src/limits.ts'
import { startRegistry, user } from './registry-client.ts'

const nested = (levels: number, open: string, close: string, inside: string) =>
  open.repeat(levels) + inside + close.repeat(levels)

function descriptorOf(message: MessageDescriptor, ...dependency: readonly string[]): string {
  return Buffer.from(encodeDescriptor({ syntax: 'proto3', dependency, messageType: [message] })).toString('base64')
}

/** Messages inside each other, deeper than a library would write them. */
function deepDescriptor(levels: number): string {
  const wrapped = (field: number, inside: Buffer) => {
    const { length } = inside
    return Buffer.concat([
      Buffer.of(field * 8 + 2, 128 + (length % 128), 128 + ((length >> 7) % 128), length >> 14),
      inside,
    ])
  }
  let message = Buffer.alloc(0)
  for (let level = 0; level < levels; level += 1) message = wrapped(3, message)
  return wrapped(4, message).toString('base64')
}

describe('hostile input', () => {
  let registry: Awaited<ReturnType<typeof startRegistry>>
  beforeAll(async () => {
    registry = await startRegistry()
  })
  afterAll(() => registry[Symbol.asyncDispose]())

  const AVRO = { schemaType: 'AVRO' }
  const JSON_SCHEMA = { schemaType: 'JSON' }
  const PROTOBUF = { schemaType: 'PROTOBUF' }
  it.each([
    ['deep Avro', AVRO, nested(5000, '{"type":"array","items":', '}', '"int"')],
    ['deep JSON', JSON_SCHEMA, nested(5000, '{"not":', '}', 'true')],
    ['deep messages', PROTOBUF, `syntax = "proto3"; ${nested(5000, 'message M { ', '}', '')}`],
    ['deep options', PROTOBUF, `syntax = "proto3"; option (a) = ${nested(5000, '{ a: ', '}', '1')};`],
    ['many values', JSON_SCHEMA, JSON.stringify({ enum: Array.from({ length: 10_001 }, (_, index) => index) })],
    ['an unfinished comment', PROTOBUF, `syntax = "proto3"; ${'/*'.repeat(1000)}`],
    ['an unfinished text', PROTOBUF, `syntax = "proto3"; option a = "${'\\'.repeat(999)}`],
    ['many comments that do not end', PROTOBUF, `syntax = "proto3"; ${'/*'.repeat(200_000)}`],
    ['many texts that do not end', PROTOBUF, `syntax = "proto3"; ${'"\\'.repeat(150_000)}`],
    ['a name of JavaScript', PROTOBUF, 'syntax = "proto3"; message __proto__ { string a = 1; }'],
    ['a type of JavaScript', AVRO, '"constructor"'],
    ['a circle of $refs to nowhere', JSON_SCHEMA, '{"$ref":"#/definitions/a"}'],
    ['a $ref to another machine', JSON_SCHEMA, '{"$ref":"http://127.0.0.1:1/schema.json"}'],
    ['an import from a disk', PROTOBUF, 'syntax = "proto3"; import "/etc/passwd";'],
    ['an id that is code', AVRO, '{"type":"record","name":"a;process.exit()","fields":[]}'],
    ['a descriptor of nothing', PROTOBUF, 'A'.repeat(4000)],
    ['a deep descriptor', PROTOBUF, deepDescriptor(5000)],
    ['a descriptor with a name of JavaScript', PROTOBUF, descriptorOf({ name: '__proto__' })],
    ['a descriptor with source in a name', PROTOBUF, descriptorOf({ name: 'A {} message B' })],
    ['a descriptor with source in a path', PROTOBUF, descriptorOf({ name: 'A' }, 'a"; import "/etc/passwd')],
  ])('refuses %s', async (_what, more, schema) => {
    const { json } = await registry.register('hostile', schema, more)
    expect(json.error_code).toBe(42201)
  })

  it('decisions 3.68: never runs a pattern, however it compares', async () => {
    // Seconds to hours for one of these names, if it ran.
    const pattern = '^(a+)+$'
    const name = `${'a'.repeat(60)}!`
    const closed = { type: 'object', patternProperties: { [pattern]: { type: 'string' } }, additionalProperties: false }
    const open = { ...closed, properties: { [name]: { type: 'string', default: name } } }
    expect((await registry.register('patterns', closed, JSON_SCHEMA)).status).toBe(200)
    expect((await registry.register('patterns', open, JSON_SCHEMA)).status).toBe(200)
    const limited = { ...open, properties: { [name]: { type: 'string', pattern, default: name } } }
    expect((await registry.register('patterns', limited, JSON_SCHEMA)).status).toBe(409)
  })

  it('gives up a comparison that would not end', async () => {
    const choice = (depth: number, leaf: string): object =>
      depth === 0
        ? { const: leaf }
        : { oneOf: Array.from({ length: 6 }, (_, index) => choice(depth - 1, `${leaf}${index}`)) }
    const { json } = await registry.register('explosive', choice(4, 'a'), JSON_SCHEMA)
    expect(json.version).toBe(1)
    const second = await registry.register('explosive', choice(4, 'b'), JSON_SCHEMA)
    expect(second.json.error_code).toBe(42201)
  })

  it('takes long chains, and gives up those that are too long to be compared', async () => {
    const messages = Array.from({ length: 1500 }, (_, index) => `message M${index} { M${index + 1} next = 1; }`)
    const source = `syntax = "proto3"; ${messages.join(' ')} message M1500 {}`
    await registry.register('proto-chain', source, PROTOBUF)
    expect((await registry.register('proto-chain', `${source} message N {}`, PROTOBUF)).json.version).toBe(2)

    const links = Array.from({ length: 1500 }, (_, index) => [
      `d${index}`,
      { properties: { next: { $ref: `#/definitions/d${index + 1}` } } },
    ])
    const json = { definitions: { ...Object.fromEntries(links), d1500: {} }, $ref: '#/definitions/d0' }
    await registry.register('json-chain', json, JSON_SCHEMA)
    const changed = await registry.register('json-chain', { ...json, title: 'x' }, JSON_SCHEMA)
    expect(changed.json.error_code).toBe(42201)
  })

  it('takes schemas that contain themselves', async () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#' } } }
    expect((await registry.register('tree', tree, JSON_SCHEMA)).status).toBe(200)
    const more = { ...tree, description: 'a tree' }
    expect((await registry.register('tree', more, JSON_SCHEMA)).json.version).toBe(2)
    expect((await registry.register('loop', { $ref: '#' }, JSON_SCHEMA)).status).toBe(200)
  })

  it('bounds bodies, names, records and references', async () => {
    const { register, call, refusal } = registry
    const tooLarge = await call('POST', '/subjects/x/versions', ' '.repeat(REGISTRY_LIMITS.bodyBytes + 1))
    expect(tooLarge).toMatchObject({ status: 413, json: { error_code: 413 } })
    const schema = JSON.stringify({ type: 'object', description: 'x'.repeat(REGISTRY_LIMITS.recordBytes) })
    expect((await register('large', schema, JSON_SCHEMA)).json.error_code).toBe(42209)
    const name = 'n'.repeat(REGISTRY_LIMITS.nameLength + 1)
    expect(await refusal('POST', `/subjects/${name}/versions`, { schema: '"int"' })).toBe('422 42208')
    expect(await refusal('POST', '/subjects/a%00b/versions', { schema: '"int"' })).toBe('422 42208')
    expect(await refusal('GET', '/contexts/.%zz/subjects')).toBe('400 400')
    expect(await refusal('GET', '/subjects/%zz/versions')).toBe('400 400')
    const references = Array.from({ length: 101 }, () => ({ name: 'a', subject: 'a', version: 1 }))
    expect((await register('many', user('a'), { references })).json.error_code).toBe(422)
  })

  it('keeps numbers as they were written', async () => {
    const schema = '{"type":"record","name":"N","fields":[{"name":"a","type":"long","default":9223372036854775807}]}'
    expect((await registry.register('numbers', schema)).json.schema).toBe(schema)
    const json = '{"maximum":1.0,"minimum":-12345678901234567890}'
    expect((await registry.register('more-numbers', json, JSON_SCHEMA)).json.schema).toBe(json)
  })
})
