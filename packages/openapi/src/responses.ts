import { PROBLEM_TYPE } from '@taproom/http'
import type { ApiResponse, ResponseHeader } from './document.ts'
import { schemaRef } from './schemas.ts'

type Headers = Readonly<Record<string, ResponseHeader>>

/** A response with a problem, and its headers. */
export function problemResponse(description: string, headers?: Headers): ApiResponse {
  return {
    description,
    ...(headers && { headers }),
    content: { [PROBLEM_TYPE]: { schema: schemaRef('Problem') } },
  }
}

/** `Retry-After` in seconds. `always`: whether every such response has it, default true. */
export function retryAfter({ always = true }: { readonly always?: boolean } = {}): Headers {
  return {
    'Retry-After': {
      description: 'Seconds after which another attempt makes sense.',
      required: always,
      schema: { type: 'integer', minimum: 0 },
    },
  }
}
