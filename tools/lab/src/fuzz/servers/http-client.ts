import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { IdleSockets } from '../kit/idle-sockets.ts'
import { AnswerReader, type HttpAnswer } from './answer-reader.ts'

export interface Conversation {
  /** Bytes sent one after another, with a short pause between. */
  readonly pieces: readonly Buffer[]
  /** Methods of the requests, as far as there are requests. */
  readonly methods: readonly string[]
  /** True when each request is framed correctly: then each must be answered, and the connection can be used again. */
  readonly isHonest: boolean
  /** True when the answers must end; the end of a stream is not waited for. */
  readonly hasEnd?: boolean
}

/** The answers that came in time. */
export interface Answered {
  readonly answers: readonly HttpAnswer[]
  readonly problem: string | undefined
}

/** Sends to one port over few connections. */
export interface HttpClient extends Disposable {
  send(conversation: Conversation): Promise<Answered>
}

const PAUSE_MS = 2
/** How long a required answer may take. */
const PATIENCE_MS = 60_000
/** After this long without a byte, bytes that are no request count as unanswered. */
const QUIET_MS = 100
/** How long to wait for more when there are as many answers as requests, or an endless one. */
const SETTLED_MS = 20

export function createHttpClient(port: number): HttpClient {
  const idle = new IdleSockets()
  return {
    async send(conversation) {
      const kept = conversation.isHonest ? idle.take() : undefined
      if (kept !== undefined) {
        const { hasEnded, ...answered } = await converse(kept, conversation, idle)
        // Else the server closed it at that moment, as it may with an idle connection.
        if (!hasEnded || answered.answers.length > 0) return answered
      }
      return await converse(connect({ port, host: '127.0.0.1', noDelay: true }), conversation, idle)
    },
    [Symbol.dispose]: () => idle[Symbol.dispose](),
  }
}

function converse(
  socket: Socket,
  { pieces, methods, isHonest, hasEnd = false }: Conversation,
  idle: IdleSockets,
): Promise<Answered & { readonly hasEnded: boolean }> {
  const reader = new AnswerReader(methods)
  return new Promise((resolve) => {
    let timer = setTimeout(giveUp, PATIENCE_MS)
    let isSent = false
    let isOver = false
    const finish = (hasEnded: boolean, mayBeKept = false) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      idle.give(socket, mayBeKept)
      const { answers, begun, problem } = reader
      resolve({ answers: begun === undefined ? answers : [...answers, begun], problem, hasEnded })
    }
    const hasToCome = () => isHonest && (hasEnd || reader.begun === undefined)
    function giveUp(): void {
      if (hasToCome() && reader.answers.length < methods.length) reader.problem ??= `no answer within ${PATIENCE_MS} ms`
      finish(false)
    }
    function settle(): void {
      const isComplete = reader.answers.length >= methods.length
      if (reader.problem !== undefined) finish(false)
      else if (isHonest && isComplete && reader.begun === undefined && isSent)
        finish(false, !isLast(reader.answers.at(-1)))
      else if (isSent) {
        clearTimeout(timer)
        const settledMs = isComplete || reader.begun !== undefined ? SETTLED_MS : QUIET_MS
        timer = setTimeout(giveUp, hasToCome() ? PATIENCE_MS : settledMs)
      }
    }
    socket.on('data', (chunk: Buffer) => {
      reader.push(chunk)
      settle()
    })
    socket.on('end', () => {
      reader.end()
      finish(true)
    })
    socket.on('close', () => finish(true))
    socket.on('error', () => finish(true))
    void write(socket, pieces, () => isOver).then(() => {
      isSent = true
      settle()
    })
  })
}

async function write(socket: Socket, pieces: readonly Buffer[], isOver: () => boolean): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await delay(PAUSE_MS)
    if (isOver()) return
    socket.write(piece)
  }
}

function isLast(answer: HttpAnswer | undefined): boolean {
  return /close/i.test(answer?.headers['connection'] ?? '')
}
