import { SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRegistry, user } from './registry-client.ts'

describe('@kafkajs/confluent-schema-registry', () => {
  let registry: Awaited<ReturnType<typeof startRegistry>>
  let schemas: SchemaRegistry
  beforeAll(async () => {
    registry = await startRegistry()
    schemas = new SchemaRegistry({ host: registry.url })
  })
  afterAll(() => registry[Symbol.asyncDispose]())

  /** Of its own: another process, which has to ask for the schema. */
  const decode = (bytes: Buffer) => new SchemaRegistry({ host: registry.url }).decode(bytes)

  it.each([
    [SchemaType.AVRO, JSON.stringify(user('name', 'style?')), { name: 'Duvel', style: null }],
    [
      SchemaType.JSON,
      JSON.stringify({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }),
      { name: 'Duvel' },
    ],
    [SchemaType.PROTOBUF, 'syntax = "proto3"; package beers; message Beer { string name = 1; }', { name: 'Duvel' }],
  ] as const)('registers a schema of type %s and sends with it', async (type, schema, beer) => {
    const subject = `client-${type}`
    const { id } = await schemas.register({ type, schema } as Parameters<typeof schemas.register>[0], { subject })
    const bytes = await schemas.encode(id, beer)
    expect({ ...(await decode(bytes)) }).toEqual(beer)
    expect(await schemas.getLatestSchemaId(subject)).toBe(id)
    expect(await schemas.getRegistryId(subject, 1)).toBe(id)
  })

  it('registers schemas with references', async () => {
    await schemas.register(
      { type: SchemaType.PROTOBUF, schema: 'syntax = "proto3"; package a; message Brewery { string city = 1; }' },
      { subject: 'brewery.proto' },
    )
    const schema = 'syntax = "proto3"; package a; import "brewery.proto"; message Beer { Brewery brewery = 1; }'
    const references = [{ name: 'brewery.proto', subject: 'brewery.proto', version: 1 }]
    const { id } = await schemas.register({ type: SchemaType.PROTOBUF, schema, references }, { subject: 'beer.proto' })
    const beer = { brewery: { city: 'Breendonk' } }
    expect(JSON.parse(JSON.stringify(await decode(await schemas.encode(id, beer))))).toEqual(beer)
  })

  it('is told of schemas that are not compatible', async () => {
    const options = { subject: 'client-incompatible' }
    await schemas.register({ type: SchemaType.AVRO, schema: JSON.stringify(user('a')) }, options)
    const next = schemas.register({ type: SchemaType.AVRO, schema: JSON.stringify(user('a', 'b')) }, options)
    await expect(next).rejects.toMatchObject({ status: 409 })
  })
})
