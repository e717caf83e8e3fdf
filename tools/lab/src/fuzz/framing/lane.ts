import { type Answered, type Conversation, createHttpClient } from '../servers/http-client.ts'
import { ANSWERED, type Backend } from './backend.ts'
import { readByNode } from './node-reader.ts'
import { notPassedOn } from './passed-on.ts'
import type { SeenRequest } from './seen-request.ts'

/** A proxy with a backend of its own. Conversations are sent one after the other, so each request at the backend belongs to one of them. */
export interface Lane extends Disposable {
  /** Resolves with the answers, and with what the backend got that it should not have. */
  send(conversation: Conversation): Promise<Answered & { readonly wrong: readonly string[] }>
}

/** A slow proxy passes on the last bytes of a conversation while later ones are sent. */
const LATE_CONVERSATIONS = 8

/** `own` are requests of the proxy itself, which it may send at any time. */
export function createLane(port: number, backend: Backend, own: readonly SeenRequest[]): Lane {
  const client = createHttpClient(port)
  let last: Promise<unknown> = Promise.resolve()
  const before: (readonly SeenRequest[])[] = []
  async function send(conversation: Conversation) {
    const sent = await readByNode(conversation.pieces)
    const answered = await client.send({ ...conversation, hasEnd: true })
    const { requests, faults } = backend.take()
    const known = [...sent, ...before.flat(), ...own]
    if (before.push(sent) > LATE_CONVERSATIONS) before.shift()
    const wrong = [
      ...faults.map(
        (fault) => `the backend got bytes that readers read differently; expected one reading, it got ${fault}`,
      ),
      ...requests.flatMap((seen) => notPassedOn(seen, known) ?? []),
    ]
    return { ...answered, wrong }
  }
  return {
    send(conversation) {
      const sending = last.then(() => send(conversation))
      last = sending.catch(() => undefined)
      return sending
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  }
}

/** True for an answer of the backend. */
export function isOfBackend({ answers: [answer] }: Answered): boolean {
  return answer?.status === 200 && answer.body === ANSWERED
}
