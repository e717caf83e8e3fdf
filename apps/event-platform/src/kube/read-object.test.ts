import { Readable } from 'node:stream'
import { LIMITS } from '@taproom/core/limits'
import type { Request } from 'express'
import { describe, expect, it } from 'vitest'
import { createObjectReader } from './read-object.ts'

function request(body: string | Buffer, contentType: string, headers: object = {}): Request {
  const req = Object.assign(Readable.from([Buffer.from(body)]), {
    headers: { 'content-type': contentType, ...headers },
  })
  return req as unknown as Request
}
const { object: readObject, patch: readPatch } = createObjectReader()
const readYaml = (yaml: string) => readObject(request(yaml, 'application/yaml'))

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const BAD = { reason: 'BadRequest', status: 400 }
const UNSUPPORTED = { reason: 'UnsupportedMediaType', status: 415 }

describe('an object in YAML', () => {
  it('has no key twice, at any depth', async () => {
    expect(await readYaml('a: { b: 1, "1": 2 }\nb: 1\n')).toEqual({ a: { b: 1, 1: 2 }, b: 1 })
    for (const twice of ['a: 1\na: 2\n', 'a: [{ b: 1, "b": 2 }]\n', '1: a\n"1": b\n']) {
      await expect(readYaml(twice)).rejects.toMatchObject(BAD)
    }
  })

  it('may be JSON', async () => {
    expect(await readYaml(' {"a": [1]}')).toEqual({ a: [1] })
    expect(await readYaml('{a: [1]}')).toEqual({ a: [1] })
  })

  it.each<[string, string]>([
    ['many documents', 'a: 1\n---\nb: 1\n'],
    ['an anchor within itself', 'a: &a [*a]\n'],
    [
      'aliases that multiply',
      `a: &a [x, x]\n${[...'bcdefghijklm'].map((key, i) => `${key}: &${key} [${Array.from({ length: 8 }, () => `*${'abcdefghijklm'[i]}`)}]\n`).join('')}`,
    ],
    ['many aliases', `a: &a x\nb: [${'*a,'.repeat(101)}]\n`],
    ['a text that aliases multiply', `a: &a ${'x'.repeat(50_000)}\nb: [${'*a,'.repeat(90)}]\n`],
    ['keys that are no texts', '? [a]\n: b\n'],
    ['keys in keys', '? '.repeat(5000)],
    ['deep lists', `${'['.repeat(6000)}${']'.repeat(6000)}`],
    ['deep blocks', '- '.repeat(6000)],
    ['deep JSON', nested(6000)],
    ['a member __proto__', '__proto__: { a: 1 }\n'],
    ['many values', `a: [${'1,'.repeat(LIMITS.objectValues)}]\n`],
    ['tabs', '\ta: 1\n'],
    ['an unknown alias', 'a: *b\n'],
  ])('is refused with %s', async (_case, yaml) => {
    await expect(readYaml(yaml)).rejects.toMatchObject(BAD)
  })

  it('is read beside others, each with its own answer', async () => {
    const bodies = Array.from({ length: 5 }, (_, i) => (i === 2 ? 'a: [' : `a: ${i}\n`))
    const results = await Promise.allSettled(bodies.map(readYaml))
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'refused'))).toEqual([
      { a: 0 },
      { a: 1 },
      'refused',
      { a: 3 },
      { a: 4 },
    ])
  })
})

describe('an object in JSON', () => {
  it.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;'])('comes as %s', async (type) => {
    expect(await readObject(request('{"a":1}', type))).toEqual({ a: 1 })
  })

  it.each([
    ['broken', '{'],
    ['too deep', nested(LIMITS.objectDepth + 1)],
    ['of too many values', JSON.stringify({ a: Array.from({ length: LIMITS.objectValues }, () => 0) })],
  ])('is refused when %s', async (_case, body) => {
    await expect(readObject(request(body, 'application/json'))).rejects.toMatchObject(BAD)
  })

  it('is refused above 1 MiB', async () => {
    const body = JSON.stringify('x'.repeat(1_048_576))
    await expect(readObject(request(body, 'application/json'))).rejects.toMatchObject({ status: 413 })
  })

  it.each([
    ...['text/plain', 'text/plain, application/json', 'text/plain;a=/json', 'application/x-www-form-urlencoded', ''],
    ...['multipart/form-data; boundary=/json', 'text/x+json', 'application/json-patch+json', 'constructor'],
  ])('is refused as %j', async (type) => {
    await expect(readObject(request('{}', type))).rejects.toMatchObject(UNSUPPORTED)
  })

  it.each(['gzip', 'deflate', 'br', 'x'])('is refused with the content coding %s', async (coding) => {
    const coded = request('{}', 'application/json', { 'content-encoding': coding })
    await expect(readObject(coded)).rejects.toMatchObject(UNSUPPORTED)
  })
})

describe('a patch', () => {
  it.each([
    ['application/json-patch+json', 'json'],
    ['application/merge-patch+json', 'merge'],
    ['Application/Strategic-Merge-Patch+JSON; charset=utf-8', 'merge'],
    ['application/apply-patch+yaml', 'apply'],
  ])('comes as %s', async (contentType, type) => {
    expect(await readPatch(request('{"a":1}', contentType))).toEqual({ type, patch: { a: 1 } })
  })

  it.each(['application/json', 'application/yaml', 'text/plain', '', 'constructor'])(
    'is refused as %j',
    async (type) => {
      await expect(readPatch(request('{}', type))).rejects.toMatchObject(UNSUPPORTED)
    },
  )

  it.each(['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'])(
    'is refused as %s when it is too deep',
    async (type) => {
      await expect(readPatch(request(nested(6000), type))).rejects.toMatchObject(BAD)
    },
  )
})
