import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSchemaRegistry } from '../src/index.ts'
import { client, startRegistry, user } from './registry-client.ts'

describe('decisions 3.178: contexts', () => {
  let registry: Awaited<ReturnType<typeof startRegistry>>
  beforeAll(async () => {
    registry = await startRegistry()
  })
  afterAll(() => registry[Symbol.asyncDispose]())

  it('have ids and subjects of their own', async () => {
    const { call, register } = registry
    const first = await register('ids', user('first'))
    const other = await register(':.other:ids', user('other'))
    expect(other.json).toMatchObject({ id: 1, version: 1 })
    expect((await register(':.other:second', user('second'))).json.id).toBe(2)
    expect((await call('GET', '/subjects/:.other:ids/versions/1')).json).toMatchObject({ subject: ':.other:ids' })
    expect((await call('GET', '/contexts')).json).toEqual(['.', '.other'])
    const schemaOf = async (query: string) => (await call('GET', `/schemas/ids/1${query}`)).json.schema
    expect(await schemaOf('')).toBe(first.json.schema)
    expect(await schemaOf('?subject=:.other:')).toBe(other.json.schema)
    expect(await schemaOf('?subject=:.other:ids')).toBe(other.json.schema)
  })

  it('are looked through for the id of a subject that the default one does not have', async () => {
    const { call, register } = registry
    const { json } = await register(':.far:alone', user('alone'))
    const found = await call('GET', `/schemas/ids/${json.id}?subject=alone`)
    expect((await call('GET', `/schemas/ids/${json.id}/versions?subject=:.far:alone`)).json).toEqual([
      { subject: ':.far:alone', version: 1 },
    ])
    expect([json.id, found.json.schema]).toEqual([1, (await call('GET', '/schemas/ids/1')).json.schema])
    await register(':.far:more', user('more'))
    await register(':.far:most', user('most'))
    expect((await call('GET', '/schemas/ids/3?subject=most')).json.schema).toBe(JSON.stringify(user('most')))
  })

  it('are listed all, one or the default one', async () => {
    const { call, register } = registry
    for (const name of ['listed', ':.a:listed', ':.b:listed']) await register(name, user('listed'))
    const listed = async (query: string) =>
      ((await call('GET', `/subjects${query}`)).json as unknown as string[]).filter((name) => name.endsWith('listed'))
    expect(await listed('')).toEqual([':.a:listed', ':.b:listed', 'listed'])
    expect(await listed('?subjectPrefix=:*:lis')).toEqual([':.a:listed', ':.b:listed', 'listed'])
    expect(await listed('?subjectPrefix=:.a:')).toEqual([':.a:listed'])
    expect(await listed('?subjectPrefix=')).toEqual(['listed'])
  })

  it('are the place of a path below them', async () => {
    const { call, refusal } = registry
    const schema = JSON.stringify(user('path'))
    const { json } = await call('POST', '/contexts/.path/subjects/x/versions', { schema })
    expect(json).toMatchObject({ id: 1, version: 1 })
    expect((await call('GET', '/contexts/:.path:/subjects')).json).toEqual([':.path:x'])
    expect((await call('GET', '/contexts/.path/schemas/ids/1')).json.schema).toBe(schema)
    expect((await call('GET', '/contexts/.path/schemas/ids/1/versions')).json).toHaveLength(1)
    await call('PUT', '/contexts/.path/config', { compatibility: 'NONE' })
    expect((await call('GET', '/config/:.path:')).json).toEqual({ compatibilityLevel: 'NONE' })
    expect(await refusal('GET', '/contexts/.path/nothing')).toBe('404 404')
  })

  it('have references and settings of their own', async () => {
    const { call, register, refusal } = registry
    await register(':.own:address', { type: 'record', name: 'Address', namespace: 'x', fields: [] })
    const person = { type: 'record', name: 'Person', fields: [{ name: 'home', type: 'x.Address' }] }
    const references = [{ name: 'x.Address', subject: 'address', version: 1 }]
    expect((await register('person', person, { references })).json.error_code).toBe(42201)
    const { json } = await register(':.own:person', person, { references })
    expect((await call('GET', '/subjects/:.own:address/versions/1/referencedby')).json).toEqual([json.id])
    expect(await refusal('DELETE', '/subjects/:.own:address')).toBe('422 42206')

    await call('PUT', '/mode/:.own:', { mode: 'READONLY' })
    expect((await call('GET', '/mode/:.own:person?defaultToGlobal=true')).json).toEqual({ mode: 'READONLY' })
    expect((await register(':.own:new', user('new'))).json.error_code).toBe(42205)
    expect((await register('new', user('new'))).status).toBe(200)
  })

  it('are read again from the topic', async () => {
    await using kafka = await startEmbeddedKafka()
    const { bootstrapServers } = kafka
    const read = async () => {
      await using one = await startSchemaRegistry({ bootstrapServers })
      const { call, register } = client(one.url)
      await register('a', user('a'))
      await register(':.kept:a', user('b'))
      return (await call('GET', '/schemas')).json
    }
    const before = await read()
    expect(before).toMatchObject([
      { subject: ':.kept:a', id: 1 },
      { subject: 'a', id: 1 },
    ])
    expect(await read()).toEqual(before)
  })
})
