import type { Random } from '../kit/random.ts'
import type { HttpAnswer } from './answer-reader.ts'
import { HEAD_SHAPES } from './head-shapes.ts'
import { type Conversation, createHttpClient } from './http-client.ts'
import { conversation, type Example, plainRequest } from './http-input.ts'
import type { Complaint, Sendable, SendableShape, ServerTarget } from './server-target.ts'
import type { Watch } from './watch.ts'

/** A request whose answer is always the same, whatever others send. */
export interface Expectation {
  readonly request: Example
  readonly status: number
  /** The beginning of the body. */
  readonly body?: string
}

export interface HttpTargetOptions {
  readonly port: number
  readonly watch: Watch
  /** A request that the surface accepts. */
  readonly example: (random: Random) => Example
  /** Further bodies and heads; several requests are sent together on one connection. */
  readonly shapes?: readonly { readonly name: string; readonly make: () => Example | readonly Example[] }[]
  /** The request for the shapes of heads. */
  readonly plain: Example
  readonly expectations: readonly Expectation[]
  /** Further checks after each batch; gives a sentence for each failure. */
  readonly probe?: () => Promise<readonly string[]>
  readonly errors: readonly string[]
  readonly close: () => PromiseLike<void>
}

/** An HTTP surface: requests made from its examples, and rules for the answers. */
export function createHttpTarget(options: HttpTargetOptions): ServerTarget {
  const { port, plain, expectations } = options
  const client = createHttpClient(port)
  const sendable = (said: Conversation): Sendable => ({
    send: async () => complaintsOf(said, await client.send(said)),
    text: () => Buffer.concat(said.pieces).toString('latin1'),
  })
  const shapes: SendableShape[] = [
    ...HEAD_SHAPES.map(({ name, make }) => ({ name, make: () => sendable(make()(plain)) })),
    ...(options.shapes ?? []).map(({ name, make }) => ({ name, make: () => sendable(plainRequests([make()].flat())) })),
  ]

  async function probe(): Promise<readonly string[]> {
    const problems = await Promise.all(
      expectations.map((expectation) =>
        unmet(expectation, client.send({ ...plainRequest(expectation.request), hasEnd: true })),
      ),
    )
    return [...problems.flat(), ...((await options.probe?.()) ?? [])]
  }

  return {
    shapes,
    input: (random) => sendable(conversation(random, options.example)),
    watch: options.watch,
    probe,
    errors: options.errors,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
      await options.close()
    },
  }
}

function plainRequests(examples: readonly Example[]): Conversation {
  const requests = examples.map((example) => plainRequest(example))
  return {
    pieces: [Buffer.concat(requests.flatMap(({ pieces }) => pieces))],
    methods: requests.flatMap(({ methods }) => methods),
    isHonest: true,
  }
}

async function unmet(
  { request, status, body = '' }: Expectation,
  sent: ReturnType<ReturnType<typeof createHttpClient>['send']>,
): Promise<readonly string[]> {
  const { answers, problem } = await sent
  const [answer] = answers
  if (answers.length === 1 && answer?.status === status && answer.body.startsWith(body)) return []
  const got =
    answer === undefined
      ? (problem ?? 'nothing')
      : `${answers.length} answers, first ${answer.status} ${JSON.stringify(answer.body.slice(0, 100))}`
  return [`${request.method} ${request.path}, which is always answered ${status} ${body}, got ${got}`]
}

/** After a wrongly framed request, no answer can be assigned to a request. */
function complaintsOf(
  { isHonest, pieces, methods }: Conversation,
  { answers, problem }: { readonly answers: readonly HttpAnswer[]; readonly problem?: string },
): readonly Complaint[] {
  const hasCoding = () => Buffer.concat(pieces).toString('latin1').toLowerCase().includes('transfer-encoding')
  return [
    ...(problem === undefined || !isHonest ? [] : [{ kind: 'crash', message: problem } as const]),
    ...answers
      .filter(
        (answer, index) =>
          isServerError(answer) && !isUnread(answer, methods[index]) && !(answer.status === 501 && hasCoding()),
      )
      .map(({ status, body }) => ({ kind: '5xx', message: `answered ${status}: ${body.slice(0, 400)}` }) as const),
  ]
}

/**
 * Whether an answer blames the service. Documented, and no defects: 503 with `Retry-After`, 503 of a health report, and 501 for an unknown
 * transfer coding.
 */
function isServerError({ status, headers, body }: HttpAnswer): boolean {
  if (status === 503) return headers['retry-after'] === undefined && !body.includes('"status":"DOWN"')
  return status >= 500
}

/** HEAD of a health report that is DOWN: the reason for the 503 is in the body, which is not sent. */
function isUnread({ status }: HttpAnswer, method: string | undefined): boolean {
  return status === 503 && method === 'HEAD'
}
