import { reasonOf } from '@taproom/core/lines'
import { MANAGEMENT_PATHS } from '@taproom/http'
import { mergeDocuments, type OpenApiDocument, problemResponse, retryAfter } from '@taproom/openapi'
import type { AskService } from './ask-service.ts'

export interface SystemDescriptionOptions {
  readonly title: string
  readonly services: readonly string[]
  /** The base URL, as the client knows it. */
  readonly url: string
  /** Whether the gateway has a route for a path. */
  serves(path: string): boolean
  readonly ask: AskService
}

/** Answers of the gateway, possible at every operation. */
const RESPONSES = {
  '502': problemResponse('The service broke off before it answered.', retryAfter()),
  '503': problemResponse('The service is not available right now.', retryAfter()),
}

/**
 * The descriptions of all services as one.
 *
 * @throws {Error} when a service gives none, naming it: a description with a part missing would look complete
 */
export async function systemDescription(options: SystemDescriptionOptions): Promise<OpenApiDocument> {
  const { title, url, serves, ask } = options
  const documents = await Promise.all(options.services.map((name) => serviceDescription(name, ask)))
  return mergeDocuments(documents, {
    title,
    description: 'All services behind one base URL.',
    url,
    serves,
    responses: RESPONSES,
  })
}

async function serviceDescription(name: string, ask: AskService): Promise<OpenApiDocument> {
  try {
    const answer = await ask(name, `${MANAGEMENT_PATHS.openApi}?format=json`)
    if (!('openapi' in answer)) throw new Error('it has no description')
    return answer as OpenApiDocument
  } catch (cause) {
    throw new Error(`${name}: ${reasonOf(cause)}`, { cause })
  }
}
