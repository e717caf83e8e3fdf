import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRegistry, user } from './registry-client.ts'

describe('subjects and versions', () => {
  let registry: Awaited<ReturnType<typeof startRegistry>>
  beforeAll(async () => {
    registry = await startRegistry()
  })
  afterAll(() => registry[Symbol.asyncDispose]())

  it('gives one id to one schema, whatever the subject, the white space and the order of members', async () => {
    const { register, call } = registry
    const first = await register('same-a', user('a'))
    const spaced = JSON.stringify({ fields: user('a').fields, name: 'User', type: 'record' }, null, 4)
    const second = await register('same/b', spaced)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.json).toMatchObject({ id: first.json.id, version: 1 })
    expect((await register('same-a', spaced)).json).toEqual(first.json)
    const { json } = await call('GET', `/schemas/ids/${first.json.id}/versions`)
    expect(json).toEqual([
      { subject: 'same-a', version: 1 },
      { subject: 'same/b', version: 1 },
    ])
    expect((await call('GET', `/schemas/ids/${first.json.id}/subjects`)).json).toEqual(['same-a', 'same/b'])
  })

  it('counts versions from 1 and answers them by number, latest and -1', async () => {
    const { register, call } = registry
    await register('counted', user('a'))
    const { json } = await register('counted', user('a', 'b?'))
    const schema = JSON.stringify(user('a', 'b?'))
    expect(json).toMatchObject({ version: 2, schema, schemaType: 'AVRO' })
    for (const version of ['2', 'latest', '-1']) {
      const answer = await call('GET', `/subjects/counted/versions/${version}`)
      expect(answer.json).toEqual({ ...json, subject: 'counted' })
    }
    expect((await call('GET', '/subjects/counted/versions')).json).toEqual([1, 2])
    expect((await call('GET', '/subjects/counted/versions/2/schema')).json).toEqual(user('a', 'b?'))
    expect((await call('GET', `/schemas/guids/${json.guid}`)).json.schema).toBe(schema)
    expect((await call('POST', '/subjects/counted', { schema })).json).toMatchObject({ version: 2, id: json.id })
  })

  it('shows subjects by prefix and schemas in pages', async () => {
    const { register, call } = registry
    for (const name of ['list-a', 'list-b', 'list-c']) await register(name, user('a'))
    expect((await call('GET', '/subjects?subjectPrefix=list-')).json).toEqual(['list-a', 'list-b', 'list-c'])
    expect((await call('GET', '/subjects?subjectPrefix=:*:list-&offset=1&limit=1')).json).toEqual(['list-b'])
    const schemas = await call('GET', '/schemas?subjectPrefix=list-&latestOnly=true&offset=2')
    expect(schemas.json).toMatchObject([{ subject: 'list-c', version: 1 }])
    expect((await call('GET', '/schemas/types')).json).toEqual(['JSON', 'PROTOBUF', 'AVRO'])
    expect((await call('GET', '/contexts')).json).toEqual(['.'])
  })

  it('deletes in two steps, first to be found no longer and then for good', async () => {
    const { register, call, refusal } = registry
    const { json } = await register('gone', user('a'))
    await register('gone', user('a', 'b?'))
    expect(await refusal('DELETE', '/subjects/gone/versions/1?permanent=true')).toBe('404 40407')
    expect((await call('DELETE', '/subjects/gone/versions/1')).json).toBe(1)
    expect(await refusal('DELETE', '/subjects/gone/versions/1')).toBe('404 40406')
    expect(await refusal('GET', '/subjects/gone/versions/1')).toBe('404 40402')
    expect((await call('GET', '/subjects/gone/versions/1?deleted=true')).json).toMatchObject({ deleted: true })
    expect((await call('GET', `/schemas/ids/${json.id}`)).status).toBe(200)
    expect((await call('GET', '/subjects/gone/versions?deletedOnly=true')).json).toEqual([1])
    expect(await refusal('DELETE', '/subjects/gone?permanent=true')).toBe('404 40405')
    expect((await call('DELETE', '/subjects/gone')).json).toEqual([2])
    expect(await refusal('DELETE', '/subjects/gone')).toBe('404 40404')
    expect((await call('GET', '/subjects?deletedOnly=true&subjectPrefix=gone')).json).toEqual(['gone'])
    expect((await call('DELETE', '/subjects/gone?permanent=true')).json).toEqual([1, 2])
    expect(await refusal('DELETE', '/subjects/gone?permanent=true')).toBe('404 40401')
  })

  it('gives a deleted schema that is registered again a new version with the old id', async () => {
    const { register, call } = registry
    const { json } = await register('again', user('again'))
    await call('DELETE', '/subjects/again')
    expect((await register('again', user('again'))).json).toMatchObject({ id: json.id, version: 2 })
    expect((await call('GET', '/subjects/again/versions?deleted=true')).json).toEqual([2])
  })

  it('keeps a schema while others refer to it', async () => {
    const { register, call, refusal } = registry
    await register('address', { type: 'record', name: 'Address', namespace: 'x', fields: [] })
    const person = { type: 'record', name: 'Person', fields: [{ name: 'home', type: 'x.Address' }] }
    expect(await refusal('POST', '/subjects/person/versions', { schema: JSON.stringify(person) })).toBe('422 42201')
    const references = [{ name: 'x.Address', subject: 'address', version: -1 }]
    const { json } = await register('person', person, { references })
    expect(json.references).toEqual([{ name: 'x.Address', subject: 'address', version: 1 }])
    expect((await call('GET', '/subjects/address/versions/1/referencedby')).json).toEqual([json.id])
    expect(await refusal('DELETE', '/subjects/address')).toBe('422 42206')
    expect(await refusal('DELETE', '/subjects/address/versions/1')).toBe('422 42206')
    await call('DELETE', '/subjects/person')
    expect((await call('DELETE', '/subjects/address')).json).toEqual([1])
    expect(await refusal('DELETE', '/subjects/address?permanent=true')).toBe('422 42206')
  })

  it.each([
    ['an unknown subject', 'GET', '/subjects/none/versions', undefined, '404 40401'],
    ['a version of an unknown subject', 'GET', '/subjects/none/versions/1', undefined, '404 40401'],
    ['an unknown id', 'GET', '/schemas/ids/4711', undefined, '404 40403'],
    ['an id that is no number', 'GET', '/schemas/ids/x', undefined, '404 404'],
    ['version 0', 'GET', '/subjects/none/versions/0', undefined, '422 42202'],
    ['a version that is no number', 'GET', '/subjects/none/versions/x', undefined, '422 42202'],
    ['a lookup of an unknown subject', 'POST', '/subjects/none', { schema: '"string"' }, '404 40401'],
    ['a schema that is none', 'POST', '/subjects/x/versions', { schema: '{"type":"recrd"}' }, '422 42201'],
    ['an unknown type', 'POST', '/subjects/x/versions', { schema: 'x', schemaType: 'XML' }, '422 42201'],
    ['no schema', 'POST', '/subjects/x/versions', {}, '422 42201'],
    [
      'rules that are none',
      'POST',
      '/subjects/x/versions',
      { schema: '"int"', ruleSet: { domainRules: 1 } },
      '422 422',
    ],
    ['a body that is not JSON', 'POST', '/subjects/x/versions', '{', '400 400'],
    ['an empty body', 'POST', '/subjects/x/versions', '', '422 422'],
    ['an id outside of an import', 'POST', '/subjects/x/versions', { schema: '"int"', id: 7 }, '422 42205'],
    ['a reserved subject', 'POST', '/subjects/__GLOBAL/versions', { schema: '"int"' }, '422 42208'],
    ['a context alone', 'POST', '/subjects/:.c:/versions', { schema: '"int"' }, '422 42208'],
    ['half a context', 'POST', '/subjects/:.c/versions', { schema: '"int"' }, '422 42208'],
    ['an unknown path', 'GET', '/nothing', undefined, '404 404'],
    ['another method', 'PUT', '/subjects', {}, '405 405'],
  ])('refuses %s as Confluent does', async (_what, method, path, body, refused) => {
    expect(await registry.refusal(method, path, body)).toBe(refused)
  })

  it('speaks its own media type, JSON to who asks for it, and no other', async () => {
    const types = await Promise.all(
      ['*/*', 'application/json', 'application/vnd.schemaregistry.v1+json, application/json; q=0.9', 'text/html'].map(
        async (accept) => {
          const { status, headers } = await fetch(`${registry.url}/subjects`, { headers: { accept } })
          return `${status} ${headers.get('content-type')}`
        },
      ),
    )
    const own = 'application/vnd.schemaregistry.v1+json'
    expect(types).toEqual([`200 ${own}`, '200 application/json', `200 ${own}`, `406 ${own}`])
    const post = await fetch(`${registry.url}/subjects/x/versions`, { method: 'POST', body: 'a=b' })
    expect(post.status).toBe(415)
  })
})
