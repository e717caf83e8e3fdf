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

/** `Retry-After` in seconds. Clients must not rely on it: a gateway may answer in place of the service. */
export function retryAfter(): Headers {
  return {
    'Retry-After': {
      description: 'Seconds after which another attempt makes sense.',
      schema: { type: 'integer', minimum: 0 },
    },
  }
}
