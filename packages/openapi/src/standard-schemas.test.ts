import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describeApi, inputSchema, outputSchema, parametersOf } from './index.ts'
import { readDescription } from './testing/index.ts'

const film = z.strictObject({ title: z.string().max(80), seats: z.int().min(1).max(9).default(1) })

describe('schemas of the standard', () => {
  it('describe what a request may carry, and what an answer carries', () => {
    const properties = {
      title: { type: 'string', maxLength: 80 },
      seats: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
    }
    const closed = { type: 'object', properties, additionalProperties: false }
    expect(inputSchema(film)).toEqual({ ...closed, required: ['title'] })
    expect(outputSchema(film)).toEqual({ ...closed, required: ['title', 'seats'] })
  })

  it('describe the parameters of a query and of a path', () => {
    const page = z.object({
      limit: z.coerce.number().int().min(1).max(9).default(5).describe('How many'),
      q: z.string(),
    })
    expect(parametersOf('query', page)).toEqual([
      {
        name: 'limit',
        in: 'query',
        description: 'How many',
        schema: { type: 'integer', minimum: 1, maximum: 9, default: 5 },
      },
      { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
    ])
    const id = z.object({ id: z.coerce.number().int().min(1).max(9) })
    expect(parametersOf('path', id)).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 9 } },
    ])
  })

  it('describe what a body may be in each way that JSON has', () => {
    const order = z.object({
      note: z.string().nullable().optional(),
      paid: z.union([z.boolean(), z.literal('later')]),
      stock: z.record(z.string(), z.int()),
      at: z.iso.datetime(),
      count: z.string().transform(Number),
    })
    expect(inputSchema(order)).toMatchObject({
      properties: {
        note: { type: ['string', 'null'] },
        paid: { anyOf: [{ type: 'boolean' }, { const: 'later' }] },
        stock: { type: 'object', additionalProperties: { type: 'integer' } },
        at: { type: 'string', format: 'date-time' },
        count: { type: 'string' },
      },
      required: ['paid', 'stock', 'at', 'count'],
    })
  })

  it.each([
    [
      'a Date',
      () => inputSchema(z.object({ at: z.date() })),
      /^the input of a schema of zod .* Date cannot be .*z\.iso/,
    ],
    [
      'the result of a transform',
      () => outputSchema(z.string().transform(Number)),
      /^the output .* Transforms cannot be/,
    ],
    ['a union of parameters', () => parametersOf('query', z.union([film, film])), /^parameters of the query: expected/],
    ['a record of parameters', () => parametersOf('path', z.record(z.string(), z.string())), /^parameters of the path/],
  ])('refuse %s', (_case, describe, message) => {
    expect(describe).toThrow(TypeError)
    expect(describe).toThrow(message)
  })

  it('refer to themselves and to their parts within the document', async () => {
    interface Tree {
      readonly below: readonly Tree[]
    }
    const tree: z.ZodType<Tree> = z.lazy(() => z.object({ below: z.array(tree) }))
    const line = z.object({ wine: z.string() }).meta({ id: 'Line' })
    const schemas = { Tree: inputSchema(tree), Order: inputSchema(z.object({ first: line, second: line })) }
    const { fetch: _fetch, expectValid } = await readDescription(
      describeApi({ title: 'shop', description: 'Orders.', paths: {}, schemas }),
    )
    expect(() => expectValid('Tree', { below: [{ below: [] }] })).not.toThrow()
    expect(() => expectValid('Tree', { below: [{ below: [1] }] })).toThrow('below/0/below/0 must be object')
    expect(() => expectValid('Order', { first: { wine: 'a' }, second: { wine: 1 } })).toThrow(
      'second/wine must be string',
    )
  })
})
