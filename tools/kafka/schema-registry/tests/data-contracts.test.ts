import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REGISTRY_LIMITS } from '../src/limits.ts'
import { startRegistry, user } from './registry-client.ts'
import { readRecords } from './topic.ts'

const metadata = {
  tags: { '**.ssn': ['PII', 'PRIVATE'] },
  properties: { owner: 'bar', 'a.first': 'x' },
  sensitive: ['owner'],
}
const rule = { name: 'checkName', kind: 'CONDITION', mode: 'WRITE', type: 'CEL', expr: 'size(message.a) > 0' }
const ruleSet = { domainRules: [{ ...rule, doc: null, tags: [], params: {}, onFailure: 'ERROR', disabled: false }] }
const keptRules = { domainRules: [{ ...rule, onFailure: 'ERROR', disabled: false }] }

describe('metadata and rules', () => {
  let registry: Awaited<ReturnType<typeof startRegistry>>
  beforeAll(async () => {
    registry = await startRegistry()
  })
  afterAll(() => registry[Symbol.asyncDispose]())

  it('are kept and answered, and make another schema', async () => {
    const { call, register } = registry
    const plain = await register('kept-plain', user('a'))
    const { json } = await register('kept', user('a'), { metadata, ruleSet })
    expect(json).toMatchObject({ metadata, ruleSet: keptRules })
    expect([json.id === plain.json.id, json.guid === plain.json.guid]).toEqual([false, false])
    for (const path of ['/subjects/kept/versions/1', `/schemas/ids/${json.id}`, `/schemas/guids/${json.guid}`]) {
      expect((await call('GET', path)).json).toMatchObject({ metadata, ruleSet: keptRules })
    }
    const records = await readRecords(registry.bootstrapServers)
    expect(JSON.parse(records.at(-1)?.value ?? '')).toMatchObject({ subject: 'kept', metadata, ruleSet: keptRules })
  })

  it('are those of the latest version where a registration names none', async () => {
    const { call, register } = registry
    const first = await register('inherited', user('a'), { metadata, ruleSet })
    expect((await register('inherited', user('a'))).json).toEqual(first.json)
    expect((await register('inherited', user('a', 'b?'))).json).toMatchObject({
      version: 2,
      metadata,
      ruleSet: keptRules,
    })
    const other = { properties: { owner: 'foo' } }
    expect((await register('inherited', user('a'), { metadata: other })).json).toMatchObject({
      version: 3,
      metadata: other,
      ruleSet: keptRules,
    })
    const lookUp = async (more: object) =>
      (await call('POST', '/subjects/inherited', { schema: JSON.stringify(user('a')), ...more })).json
    expect((await lookUp({})).version).toBe(3)
    expect((await lookUp({ metadata, ruleSet })).version).toBe(1)
    expect((await lookUp({ metadata })).error_code).toBe(40403)
  })

  it('are registered alone, with the schema of the latest version', async () => {
    const { register, call } = registry
    const alone = (subject: string) => call('POST', `/subjects/${subject}/versions`, { ruleSet })
    expect((await alone('alone')).json).toMatchObject({ error_code: 42201, message: 'Empty schema' })
    const protobuf = 'syntax = "proto3";\nmessage M {\n}\n'
    await register('alone', protobuf, { schemaType: 'PROTOBUF', metadata })
    const expected = { version: 2, schemaType: 'PROTOBUF', schema: protobuf, metadata, ruleSet: keptRules }
    expect((await alone('alone')).json).toMatchObject(expected)
    expect((await alone('alone')).json).toMatchObject(expected)
    const lookedUp = await call('POST', '/subjects/alone', { ruleSet })
    expect(lookedUp.json).toMatchObject({ error_code: 42201, message: 'Empty schema' })
  })

  it('are not taken over by a version that is imported', async () => {
    const { register, call } = registry
    await call('PUT', '/mode/imported', { mode: 'IMPORT' })
    await register('imported', user('a'), { version: 2, id: 1001, metadata })
    const { json } = await register('imported', user('a'), { version: 1, id: 1000 })
    expect(json).toMatchObject({ version: 1, id: 1000 })
    expect(json).not.toHaveProperty('metadata')
  })

  it('take names of rules with a hyphen', async () => {
    const { json } = await registry.register('hyphen', user('a'), {
      ruleSet: { domainRules: [{ ...rule, name: 'check-pii' }] },
    })
    expect(json).toMatchObject({ ruleSet: { domainRules: [{ name: 'check-pii' }] } })
  })

  it('are refused where their record could not be read back', async () => {
    const { register, call } = registry
    const sensitive = Array.from({ length: REGISTRY_LIMITS.jsonValues }, (_, index) => `f${index}`)
    expect((await register('lost', '"int"', { metadata: { sensitive } })).json.error_code).toBe(42209)
    expect((await call('GET', '/subjects/lost/versions')).status).toBe(404)
  })

  it('count among the bytes of an answer', async () => {
    const { register, call } = registry
    for (let index = 0; index < 10; index += 1) {
      const properties = { text: `${index}${'x'.repeat(900_000)}` }
      await register('large', '"int"', { metadata: { properties } })
    }
    const answer = await call('GET', '/schemas?subjectPrefix=large')
    expect(answer.json).toHaveLength(9)
  })

  it('find a version by the properties of its metadata', async () => {
    const { call, register, refusal } = registry
    for (const major of ['1', '2'])
      await register('found', user('a'), { metadata: { properties: { major, 'x y': '&' } } })
    const found = await call('GET', '/subjects/found/metadata?key=major&value=1&key=x%20y&value=%26')
    expect(found.json).toMatchObject({ subject: 'found', version: 1, metadata: { properties: { major: '1' } } })
    expect((await call('GET', '/subjects/found/metadata?key=x%20y&value=%26')).json.version).toBe(2)
    expect(await refusal('GET', '/subjects/found/metadata?key=major&value=3')).toBe('404 40403')
    expect(await refusal('GET', '/subjects/nowhere/metadata?key=major&value=3')).toBe('404 40401')
  })

  it.each([
    ['a list of metadata', { metadata: [] }, 'metadata must be an object'],
    ['a property that is a number', { metadata: { properties: { a: 1 } } }, 'metadata.properties["a"] must be a text'],
    ['tags that are no list', { metadata: { tags: { a: 'b' } } }, 'metadata.tags["a"] must be a list'],
    [
      'a rule without a type',
      { ruleSet: { domainRules: [{ name: 'a' }] } },
      'ruleSet.domainRules[0].type must be a text',
    ],
    [
      'a migration that writes',
      { ruleSet: { migrationRules: [rule] } },
      'ruleSet.migrationRules[0].mode must be one of',
    ],
    [
      'a name with a space',
      { ruleSet: { domainRules: [{ ...rule, name: 'a b' }] } },
      'ruleSet.domainRules[0].name must',
    ],
    ['two rules of one name', { ruleSet: { domainRules: [rule, rule] } }, 'two rules with the name "checkName"'],
    [
      'two rules of one name in two lists',
      { ruleSet: { domainRules: [rule], encodingRules: [rule] } },
      'two rules with the name "checkName"',
    ],
    [
      'a name of 65 letters',
      { ruleSet: { domainRules: [{ ...rule, name: 'a'.repeat(65) }] } },
      'ruleSet.domainRules[0].name must be 1 to 64 letters',
    ],
  ])('refuses %s', async (_what, contract, message) => {
    const { json } = await registry.register('refused', user('a'), contract)
    expect(json).toMatchObject({ error_code: 422, message: expect.stringContaining(message) })
  })
})
