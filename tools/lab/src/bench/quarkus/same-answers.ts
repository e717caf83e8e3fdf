import { isDeepStrictEqual } from 'node:util'

/** A request that both sides have to answer alike. */
export interface Question {
  readonly path: string
  readonly authorization?: string
}

/**
 * Asks both sides the same before they are measured.
 *
 * @throws {Error} when status, media type or content of an answer differ
 */
export async function expectSameAnswers(ours: string, theirs: string, questions: readonly Question[]): Promise<void> {
  for (const question of questions) {
    const [our, their] = [await ask(ours, question), await ask(theirs, question)]
    if (!isDeepStrictEqual(our, their)) {
      throw new Error(`GET ${question.path}: we answer ${JSON.stringify(our)}, the peer ${JSON.stringify(their)}`)
    }
  }
}

/** The content of a refusal is everyone's own. */
async function ask(url: string, { path, authorization }: Question) {
  const response = await fetch(url + path, { headers: { ...(authorization !== undefined && { authorization }) } })
  const text = await response.text()
  if (!response.ok) return { status: response.status }
  const [mediaType] = (response.headers.get('content-type') ?? '').split(';')
  return { status: response.status, mediaType, content: mediaType === 'application/json' ? JSON.parse(text) : text }
}
