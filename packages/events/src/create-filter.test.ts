import { describe, expect, it } from 'vitest'
import { createFilter, FilterError, parseEvent, type TriggerFilterSpec } from './index.ts'

const event = parseEvent(
  {
    'ce-specversion': '1.0',
    'ce-id': '1',
    'ce-source': '/beers/1',
    'ce-type': 'greeting',
    'ce-subject': 'Punk IPA',
    'ce-time': '2020-01-01T00:00:00Z',
    'ce-dataschema': 'urn:schema',
    'ce-ext': 'value',
    'ce-empty': '',
    'content-type': 'text/plain; charset=utf-8',
  },
  Buffer.from('x'),
)
const matches = (spec: unknown) => createFilter(spec as TriggerFilterSpec)(event)

describe('createFilter, filter.attributes', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['type is equal', { type: 'greeting' }, true],
    ['type differs', { type: 'aloha' }, false],
    ['case differs', { type: 'Greeting' }, false],
    ['all pairs are equal', { type: 'greeting', source: '/beers/1' }, true],
    ['one pair differs', { type: 'greeting', source: '/beers' }, false],
    ['an extension is equal', { ext: 'value' }, true],
    ['an extension is missing', { missing: 'value' }, false],
    ['an inherited name is asked for', { constructor: '' }, false],
    ['"" and the attribute is there', { ext: '' }, true],
    ['"" and the attribute is empty', { empty: '' }, false],
    ['"" and the attribute is missing', { missing: '' }, false],
    ['"data" is not an attribute', { data: 'x' }, false],
    ['specversion', { specversion: '1.0' }, true],
    ['id', { id: '1' }, true],
    ['subject', { subject: 'Punk IPA' }, true],
    ['time', { time: '2020-01-01T00:00:00Z' }, true],
    ['dataschema', { dataschema: 'urn:schema' }, true],
    ['schemaurl', { schemaurl: 'urn:schema' }, true],
    ['datacontenttype', { datacontenttype: 'text/plain; charset=utf-8' }, true],
    ['datamediatype', { datamediatype: 'text/plain' }, true],
  ])('%s', (_case, attributes, expected) => {
    expect(matches({ filter: { attributes } })).toBe(expected)
  })

  it.each([{}, { filter: {} }, { filter: { attributes: {} } }, { filters: [] }])('%j matches everything', (spec) => {
    expect(matches(spec)).toBe(true)
  })
})

describe('what a filter needs', () => {
  const exact = (attributes: Record<string, string>) => ({ exact: attributes })
  it.each<[string, unknown, unknown]>([
    [
      'its type rather than another',
      { filter: { attributes: { source: '/a', type: 'b' } } },
      { name: 'type', value: 'b' },
    ],
    ['another without a type', { filter: { attributes: { ext: '', source: '/a' } } }, { name: 'source', value: '/a' }],
    ['nothing that all have', { filter: { attributes: { specversion: '1.0' } } }, undefined],
    ['nothing that only has to be there', { filter: { attributes: { type: '' } } }, undefined],
    ['nothing when all match', {}, undefined],
    [
      'an exact value of several',
      { filters: [{ prefix: { type: 'a' } }, exact({ ext: 'b' })] },
      { name: 'ext', value: 'b' },
    ],
    ['one that all of many need', { filters: [{ all: [{ all: [exact({ id: '1' })] }] }] }, { name: 'id', value: '1' }],
    ['nothing of which another would do', { filters: [{ any: [exact({ id: '1' }), exact({ id: '2' })] }] }, undefined],
    ['nothing that must not be', { filters: [{ not: exact({ id: '1' }) }] }, undefined],
    ['nothing of an expression', { filters: [{ cesql: "type = 'a'" }] }, undefined],
  ])('is %s', (_case, spec, needs) => {
    expect(createFilter(spec as TriggerFilterSpec).needs).toEqual(needs)
  })
})

describe('createFilter, filters', () => {
  it.each<[string, unknown, boolean]>([
    ['exact', { exact: { type: 'greeting' } }, true],
    ['exact, several attributes', { exact: { type: 'greeting', ext: 'other' } }, false],
    ['exact, missing attribute', { exact: { missing: 'x' } }, false],
    ['prefix', { prefix: { source: '/beers/' } }, true],
    ['prefix, no match', { prefix: { source: 'beers' } }, false],
    ['suffix', { suffix: { subject: ' IPA' } }, true],
    ['suffix, no match', { suffix: { subject: ' ipa' } }, false],
    ['all', { all: [{ exact: { type: 'greeting' } }, { prefix: { ext: 'v' } }] }, true],
    ['all, one fails', { all: [{ exact: { type: 'greeting' } }, { prefix: { ext: 'x' } }] }, false],
    ['any', { any: [{ exact: { type: 'aloha' } }, { prefix: { ext: 'v' } }] }, true],
    ['any, none', { any: [{ exact: { type: 'aloha' } }, { prefix: { ext: 'x' } }] }, false],
    ['not', { not: { exact: { type: 'aloha' } } }, true],
    ['not, missing attribute', { not: { exact: { missing: 'x' } } }, true],
    ['nested', { not: { any: [{ not: { all: [{ exact: { type: 'greeting' } }] } }, { exact: { id: '2' } }] } }, true],
  ])('%s', (_case, filter, expected) => {
    expect(matches({ filters: [filter] })).toBe(expected)
  })

  it('elements must all match', () => {
    expect(matches({ filters: [{ exact: { type: 'greeting' } }, { exact: { id: '2' } }] })).toBe(false)
  })

  it('override filter when there are any', () => {
    const filter = { attributes: { type: 'aloha' } }
    expect(matches({ filter, filters: [{ exact: { type: 'greeting' } }] })).toBe(true)
    expect(matches({ filter, filters: [] })).toBe(false)
  })
})

describe('createFilter, invalid filters', () => {
  it.each<[string, unknown]>([
    ['filters', { filters: {} }],
    ['filters[0]', { filters: ['x'] }],
    ['filters[0]', { filters: [{}] }],
    ['filters[1]', { filters: [{ exact: { a: 'b' } }, { exact: { a: 'b' }, prefix: { a: 'b' } }] }],
    ['filters[0].regex', { filters: [{ regex: { a: 'b' } }] }],
    ['filters[0].toString', { filters: [{ toString: { a: 'b' } }] }],
    ['filters[0].exact', { filters: [{ exact: {} }] }],
    ['filters[0].exact', { filters: [{ exact: ['a'] }] }],
    ['filters[0].exact.', { filters: [{ exact: { '': 'b' } }] }],
    ['filters[0].exact.a', { filters: [{ exact: { a: '' } }] }],
    ['filters[0].prefix.a', { filters: [{ prefix: { a: 1 } }] }],
    ['filters[0].suffix.A', { filters: [{ suffix: { A: 'b' } }] }],
    ['filters[0].all', { filters: [{ all: [] }] }],
    ['filters[0].any', { filters: [{ any: { exact: { a: 'b' } } }] }],
    [
      'filters[0].any[1].not.exact.1a',
      { filters: [{ any: [{ exact: { a: 'b' } }, { not: { exact: { '1a': 'b' } } }] }] },
    ],
    ['filters[0].not', { filters: [{ not: [] }] }],
    ['filter', { filter: [] }],
    ['filter.attribute', { filter: { attribute: {} } }],
    ['filter.attributes', { filter: { attributes: ['type'] } }],
    ['filter.attributes.my-ext', { filter: { attributes: { 'my-ext': 'x' } } }],
    ['filter.attributes.type', { filter: { attributes: { type: 1 } } }],
  ])('%s is named and the filter fails closed', (field, spec) => {
    expect(() => createFilter(spec as TriggerFilterSpec)).toThrow(FilterError)
    expect(() => createFilter(spec as TriggerFilterSpec)).toThrow(
      expect.objectContaining({ field, code: 'FILTER_INVALID' }),
    )
  })
})
