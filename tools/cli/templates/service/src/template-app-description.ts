import {
  describeApi,
  type HealthPathOptions,
  type OpenApiDocument,
  problemResponse,
  retryAfter,
  schemaRef,
} from '@taproom/openapi'
import { ROLE } from './config.ts'

// begin jwt
const challenge = {
  'WWW-Authenticate': {
    description: 'A Bearer challenge with the reason.',
    required: true,
    schema: { type: 'string' },
  },
}
const challengeOfRole = { 'WWW-Authenticate': { ...challenge['WWW-Authenticate'], required: false } }

// end
const greeting = { type: 'object', required: ['greeting'], properties: { greeting: { type: 'string' } } }

export function describeTemplateApp(health: HealthPathOptions): OpenApiDocument {
  return describeApi({
    title: 'template-app',
    description: 'A greeting.',
    // begin jwt
    securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    // end
    health,
    paths: {
      '/template-app': {
        get: {
          operationId: 'templateApp',
          summary: 'A greeting',
          tags: ['template-app'],
          // begin jwt
          security: [{ token: [] }],
          // end
          responses: {
            '200': { description: 'The greeting.', content: { 'application/json': { schema: greeting } } },
            // begin jwt
            '400': problemResponse('The request carries more than one token.', challenge),
            '401': { description: 'No token, or one that is not accepted.', headers: challenge },
            '403': {
              description: `The token lacks the role ${ROLE}, or a scope that is needed; a problem where a route refuses by itself.`,
              headers: challengeOfRole,
              content: {
                'application/octet-stream': { schema: { const: 'Forbidden' } },
                'application/problem+json': { schema: schemaRef('Problem') },
              },
            },
            '429': problemResponse('Too many forged tokens to judge another one now.', retryAfter()),
            // end
            '500': problemResponse('Something went wrong here; `id` finds it in the log.'),
          },
        },
      },
    },
  })
}
