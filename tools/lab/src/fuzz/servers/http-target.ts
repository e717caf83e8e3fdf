import type { Random } from '../../harness/random.ts'
import { inPlaces, type Shape } from '../kit/shapes.ts'
import type { HttpAnswer } from './answer-reader.ts'
import { headShapes } from './head-shapes.ts'
import { type Answered, type Conversation, createHttpClient } from './http-client.ts'
import { conversation, type Example, joined, plainRequest } from './http-input.ts'
import type { Complaint, Sendable, ServerTarget } from './server-target.ts'

/** A request whose answer is always the same, whatever others send. */
export interface Expectation {
  readonly request: Example
  readonly status: number
  /** The beginning of the body. */
  readonly body?: string
}

export interface HttpTargetOptions {
  readonly port: number
  /** A request that the surface accepts. */
  readonly example: (random: Random) => Example
  /** Further bodies and heads; several requests are sent together on one connection. */
  readonly shapes?: readonly Shape<Example | readonly Example[]>[]
  /** The request for the shapes of heads. */
  readonly plain: Example
  readonly expectations: readonly Expectation[]
  /** A text that only forged tokens claim: an answer of status 200 that contains it is wrong. */
  readonly forgedClaim?: string
  /** Further checks after each batch; gives a sentence for each failure. */
  readonly probe?: () => Promise<readonly string[]>
  readonly errors: readonly string[]
}

/** An HTTP surface: requests made from its examples, and rules for the answers. */
export function createHttpTarget(
  { port, example, shapes = [], plain, expectations, forgedClaim, probe, errors }: HttpTargetOptions,
  opened: AsyncDisposableStack,
): ServerTarget {
  const client = opened.use(createHttpClient(port))
  const sendable = (said: Conversation) =>
    sendableOf(said, async () => {
      const answered = await client.send(said)
      return [...complaintsOf(said, answered), ...acceptedForgeries(answered, forgedClaim)]
    })
  const unmet = async (expectation: Expectation) =>
    differenceOf(expectation, await client.send({ ...plainRequest(expectation.request), hasEnd: true }))
  return {
    shapes: [
      ...inPlaces(headShapes(plain), { head: sendable }),
      ...inPlaces(shapes, { request: (examples) => sendable(joined([examples].flat().map(plainRequest))) }),
    ],
    input: (random) => sendable(conversation(random, example)),
    probe: async () => [...(await Promise.all(expectations.map(unmet))).flat(), ...((await probe?.()) ?? [])],
    errors: () => errors,
  }
}

/** A conversation as an input. */
export function sendableOf({ pieces }: Conversation, send: Sendable['send']): Sendable {
  return {
    send,
    text: () => Buffer.concat(pieces).toString('latin1'),
    bytes: pieces.reduce((sum, { length }) => sum + length, 0),
  }
}

function differenceOf(
  { request, status, body = '' }: Expectation,
  { answers, problem = 'nothing' }: Answered,
): readonly string[] {
  const [answer] = answers
  if (answers.length === 1 && answer?.status === status && answer.body.startsWith(body)) return []
  const got =
    answer === undefined
      ? problem
      : `${answers.length} answers, first ${answer.status} ${JSON.stringify(answer.body.slice(0, 100))}`
  return [`${request.method} ${request.path}, which is always answered ${status} ${body}, got ${got}`]
}

function acceptedForgeries({ answers }: Answered, claim: string | undefined): readonly Complaint[] {
  const accepted = answers.filter(({ status, body }) => claim !== undefined && status === 200 && body.includes(claim))
  return accepted.map(() => ({
    kind: 'wrong',
    message: 'a forged token was accepted; expected 401, it was answered 200',
  }))
}

/** After a wrongly framed request, no answer can be assigned to a request. */
export function complaintsOf({ isHonest, pieces, methods }: Conversation, { answers, problem }: Answered): Complaint[] {
  const hasCoding = () => Buffer.concat(pieces).toString('latin1').toLowerCase().includes('transfer-encoding')
  const complaints = answers
    .filter((answer, index) => isServerError(answer, methods[index]) && !(answer.status === 501 && hasCoding()))
    .map(({ status, body }): Complaint => ({ kind: '5xx', message: `answered ${status}: ${body.slice(0, 400)}` }))
  return problem === undefined || !isHonest ? complaints : [{ kind: 'crash', message: problem }, ...complaints]
}

/**
 * True for an answer that blames the service. Documented, and no defects: 503 with `Retry-After`, 503 of a health report, and 501 for an
 * unknown transfer coding.
 */
function isServerError({ status, headers, body }: HttpAnswer, method: string | undefined): boolean {
  if (status !== 503) return status >= 500
  // The reason for the 503 of a report that is DOWN is in the body, which HEAD does not send.
  return headers['retry-after'] === undefined && !body.includes('"status":"DOWN"') && method !== 'HEAD'
}
