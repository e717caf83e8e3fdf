import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inputSchema, outputSchema, parametersOf } from './index.ts'

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
})
