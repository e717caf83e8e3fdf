import type { ServerResponse } from 'node:http'
import type { RoutedRequest } from '@taproom/http'
import { RegistryError } from '../errors.ts'
import type { Registry } from '../registry/registry.ts'
import { answer } from './answer.ts'
import { flag, readSchemaRequest, subjectOf, versionOf } from './request.ts'
import type { Routes } from './routes.ts'

const INVALID_SCHEMA = 42201

/** `/compatibility`: whether a schema could be registered. */
export function compatibilityRoutes(registry: Registry): Routes {
  const test =
    (versionIn: (req: RoutedRequest) => { readonly version?: number }) =>
    async (req: RoutedRequest, res: ServerResponse) => {
      const subject = subjectOf(req)
      const options = { normalize: flag(req, 'normalize'), ...versionIn(req) }
      const isVerbose = flag(req, 'verbose')
      const request = await readSchemaRequest(req)
      const messages = await registry.testCompatibility(subject, request, options).catch((error: unknown) => {
        if (isVerbose && error instanceof RegistryError && error.errorCode === INVALID_SCHEMA) return [error.message]
        throw error
      })
      answer(res, { is_compatible: messages.length === 0, ...(isVerbose && { messages }) })
    }
  return {
    '/compatibility/subjects/{subject}/versions': { post: test(() => ({})) },
    '/compatibility/subjects/{subject}/versions/{version}': { post: test((req) => ({ version: versionOf(req) })) },
  }
}
