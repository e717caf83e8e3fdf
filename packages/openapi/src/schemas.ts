import type { JsonSchema } from './document.ts'

/** `application/problem+json` (RFC 9457), as services here answer it. */
export const PROBLEM_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'Why a request was not served (RFC 9457).',
  required: ['type', 'title', 'status'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'What kind of problem it is.' },
    title: { type: 'string', description: 'The name of the status.' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'What was wrong with this request.' },
    id: { type: 'string', format: 'uuid', description: 'Finds a failure of 5xx in the log.' },
    errors: {
      type: 'array',
      description: 'What is wrong with the body, by its pointer (RFC 6901), or with a parameter.',
      items: {
        type: 'object',
        required: ['detail'],
        properties: { pointer: { type: 'string' }, parameter: { type: 'string' }, detail: { type: 'string' } },
      },
    },
  },
}

const HEALTH_STATUS: JsonSchema = { type: 'string', enum: ['UP', 'DOWN'] }

/** The body of a health endpoint (MicroProfile Health 4). */
export const HEALTH_REPORT_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'UP when every check is UP (MicroProfile Health 4).',
  required: ['status', 'checks'],
  additionalProperties: false,
  properties: {
    status: HEALTH_STATUS,
    checks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'status'],
        additionalProperties: false,
        properties: {
          name: { type: 'string' },
          status: HEALTH_STATUS,
          data: {
            type: 'object',
            // Generators of clients take no list of types.
            additionalProperties: true,
            description: 'Texts, numbers and booleans that say more.',
          },
        },
      },
    },
  },
}

/** A reference to a schema among the document's components. */
export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}
