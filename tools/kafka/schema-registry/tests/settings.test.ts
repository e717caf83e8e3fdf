import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRegistry, user } from './registry-client.ts'

describe('compatibility and modes', () => {
  let registry: Awaited<ReturnType<typeof startRegistry>>
  beforeAll(async () => {
    registry = await startRegistry()
  })
  afterAll(() => registry[Symbol.asyncDispose]())

  it('has a compatibility of its own, which subjects can have too', async () => {
    const { call, refusal } = registry
    expect((await call('GET', '/config')).json).toEqual({ compatibilityLevel: 'BACKWARD' })
    expect(await refusal('GET', '/config/own')).toBe('404 40408')
    expect((await call('GET', '/config/own?defaultToGlobal=true')).json).toEqual({ compatibilityLevel: 'BACKWARD' })
    expect((await call('PUT', '/config/own', { compatibility: 'full' })).json).toEqual({ compatibility: 'FULL' })
    expect((await call('GET', '/config/own')).json).toEqual({ compatibilityLevel: 'FULL' })
    expect(await refusal('PUT', '/config', { compatibility: 'HALF' })).toBe('422 42203')
    expect(await refusal('PUT', '/config', { alias: 'x' })).toBe('422 422')
    expect((await call('DELETE', '/config/own')).json).toEqual({ compatibilityLevel: 'FULL' })
    expect(await refusal('DELETE', '/config/own')).toBe('404 40401')
  })

  it.each([
    ['NONE', [user('a'), user('b')], '200'],
    ['BACKWARD', [user('a'), user('a', 'b')], '409 40901'],
    ['BACKWARD', [user('a', 'b'), user('a')], '200'],
    ['BACKWARD', [user('a'), user(), user('c')], '409 40901'],
    ['BACKWARD', [user('a', 'b'), user('a', 'b?'), user('a')], '200'],
    ['FORWARD', [user('a', 'b'), user('a')], '409 40901'],
    ['FORWARD', [user('a'), user('a', 'b')], '200'],
    ['FULL', [user('a'), user('a', 'b?')], '200'],
    ['FULL', [user('a'), user('a', 'b')], '409 40901'],
    ['BACKWARD_TRANSITIVE', [user('a'), user('a', 'b?'), user('a', 'b')], '409 40901'],
  ])('%s judges the last version of %j: %s', async (compatibility, versions, expected) => {
    const { call, register } = registry
    const subject = `judged-${JSON.stringify([compatibility, versions]).replaceAll(/\W+/g, '-')}`.slice(0, 200)
    await call('PUT', `/config/${subject}`, { compatibility: 'NONE' })
    for (const version of versions.slice(0, -1)) await register(subject, version)
    await call('PUT', `/config/${subject}`, { compatibility })
    const schema = JSON.stringify(versions.at(-1))
    const test = await call('POST', `/compatibility/subjects/${subject}/versions?verbose=true`, { schema })
    expect(test.json.is_compatible).toBe(expected === '200')
    expect(test.json.messages.length > 0).toBe(expected !== '200')
    const { status, json } = await register(subject, versions.at(-1))
    expect(json.error_code === undefined ? `${status}` : `${status} ${json.error_code}`).toBe(expected)
  })

  it('looks at all versions with a transitive level, at the latest one otherwise', async () => {
    const { call, register } = registry
    await call('PUT', '/config/deep', { compatibility: 'NONE' })
    // From double to string is no promotion, from bytes to string is one.
    for (const type of ['double', 'bytes']) {
      await register('deep', { type: 'record', name: 'User', fields: [{ name: 'a', type }] })
    }
    const schema = JSON.stringify({ type: 'record', name: 'User', fields: [{ name: 'a', type: 'string' }] })
    const compatible: boolean[] = []
    for (const compatibility of ['BACKWARD', 'BACKWARD_TRANSITIVE']) {
      await call('PUT', '/config/deep', { compatibility })
      const { json } = await call('POST', '/compatibility/subjects/deep/versions', { schema })
      compatible.push(json.is_compatible)
    }
    expect(compatible).toEqual([true, false])
    const one = await call('POST', '/compatibility/subjects/deep/versions/1', { schema })
    const latest = await call('POST', '/compatibility/subjects/deep/versions/latest', { schema })
    expect([one.json, latest.json]).toEqual([{ is_compatible: false }, { is_compatible: true }])
    expect(await registry.refusal('POST', '/compatibility/subjects/deep/versions/3', { schema })).toBe('404 40402')
  })

  it('refuses writes of a read-only subject and goes on answering', async () => {
    const { call, register, refusal } = registry
    await register('quiet', user('a'))
    expect(await refusal('GET', '/mode/quiet')).toBe('404 40409')
    expect((await call('PUT', '/mode/quiet', { mode: 'readonly' })).json).toEqual({ mode: 'READONLY' })
    expect((await register('quiet', user('a'))).status).toBe(200)
    expect((await register('quiet', user('a', 'b?'))).json.error_code).toBe(42205)
    expect(await refusal('DELETE', '/subjects/quiet')).toBe('422 42205')
    expect(await refusal('PUT', '/config/quiet', { compatibility: 'NONE' })).toBe('422 42205')
    expect(await refusal('PUT', '/mode/quiet', { mode: 'LOUD' })).toBe('422 42204')
    expect(await refusal('PUT', '/mode/quiet', { mode: 'FORWARD' })).toBe('422 42204')
    expect((await call('DELETE', '/mode/quiet')).json).toEqual({ mode: 'READONLY' })
    expect((await register('quiet', user('a', 'b?'))).status).toBe(200)
  })

  it('imports schemas with the ids and versions that they had elsewhere', async () => {
    const { call, register, refusal } = registry
    await register('full', user('a'))
    expect(await refusal('PUT', '/mode/full', { mode: 'IMPORT' })).toBe('422 42205')
    await call('PUT', '/mode/imported', { mode: 'IMPORT' })
    const imported = await register('imported', user('imported'), { id: 4000, version: 7 })
    expect(imported.json).toMatchObject({ id: 4000, version: 7 })
    expect((await register('imported', user('other'), { id: 4000, version: 8 })).json.error_code).toBe(42205)
    expect((await register('imported', user('other'))).json.error_code).toBe(42205)
    expect((await register('after', user('after'))).json.id).toBe(4001)
  })

  it('puts the members of a schema in order where it is asked to', async () => {
    const { call, register } = registry
    const json = { type: 'object', properties: { b: { type: 'string' }, a: { type: 'number' } } }
    const more = { schemaType: 'JSON' }
    const other = { properties: { a: { type: 'number' }, b: { type: 'string' } }, type: 'object' }
    const first = await register('order', json, more)
    expect((await register('order', other, more)).json.version).toBe(2)
    await call('PUT', '/config/ordered', { normalize: true })
    await register('ordered', json, more)
    expect((await register('ordered', other, more)).json.version).toBe(1)
    expect(first.json.schema).toBe(JSON.stringify(json))
  })
})
