import type { AuthenticateOptions } from '@taproom/jwt'
import { describeApi, type JsonSchema, type OpenApiDocument, problemResponse, retryAfter } from '@taproom/openapi'
import type { Config } from './config.ts'

const challenge = {
  'WWW-Authenticate': {
    description: 'A Bearer challenge with the reason.',
    required: true,
    schema: { type: 'string' },
  },
}

export function describeClaimApi({ jwt, health }: Pick<Config, 'jwt' | 'health'>): OpenApiDocument {
  return describeApi({
    title: 'claim-api',
    description: 'The preferred_username of a verified JSON Web Token.',
    securitySchemes: { token: tokenScheme(jwt.token) },
    health,
    paths: {
      '/secure/claim': {
        get: {
          operationId: 'claim',
          summary: 'The preferred_username of the caller',
          description: 'For callers whose token lists the role Subscriber in `groups`.',
          tags: ['claims'],
          security: [{ token: [] }],
          responses: {
            '200': {
              description: 'The preferred_username.',
              content: { 'text/plain': { schema: { type: 'string' } } },
            },
            '204': { description: 'The token has no preferred_username.' },
            '400': problemResponse('The request carries more than one token.', challenge),
            '401': { description: 'No token, or one that is not accepted.', headers: challenge },
            '403': {
              description: 'The token lacks the role Subscriber, or a scope.',
              headers: challenge,
              content: { 'application/octet-stream': { schema: { type: 'string' } } },
            },
            '429': problemResponse(
              'So many forged tokens come that nothing can be said about this one now.',
              retryAfter(),
            ),
            ...(jwt.verifier.introspection !== undefined && {
              '503': problemResponse('The issuer does not say whether the token is active.', retryAfter()),
            }),
            '500': problemResponse('Something went wrong here; `id` finds it in the log.'),
          },
        },
      },
    },
  })
}

function tokenScheme({ header = 'Authorization', cookie = 'Bearer' }: AuthenticateOptions): JsonSchema {
  return header === 'Cookie'
    ? { type: 'apiKey', in: 'cookie', name: cookie }
    : { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }
}
