import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { AnswerReader, type HttpAnswer } from './answer-reader.ts'

export interface Conversation {
  /** Bytes sent one after another, with a short pause between. */
  readonly pieces: readonly Buffer[]
  /** Methods of the requests, as far as there are requests. */
  readonly methods: readonly string[]
  /** Whether each request is framed correctly: then each must be answered, and the connection can be used again. */
  readonly isHonest: boolean
  /** Whether the answers must end; the end of a stream is not waited for. */
  readonly hasEnd?: boolean
}

/** Sends to one port over few connections. */
export interface HttpClient extends Disposable {
  /** The answers that came in time. */
  send(conversation: Conversation): Promise<{ readonly answers: readonly HttpAnswer[]; readonly problem?: string }>
}

const PAUSE_MS = 2
/** How long a required answer may take. */
const PATIENCE_MS = 60_000
/** After this long without a byte, bytes that are no request count as unanswered. */
const QUIET_MS = 100
/** How long to wait for more when there are as many answers as requests, or an endless one. */
const SETTLED_MS = 20

export function createHttpClient(port: number): HttpClient {
  const idle: Socket[] = []

  async function send(conversation: Conversation) {
    const kept = conversation.isHonest ? takeIdle() : undefined
    if (kept !== undefined) {
      const { reader, hasEnded } = await converse(kept, conversation, keep)
      // The server closed it at that moment, as it may with an idle connection.
      if (!hasEnded || reader.answers.length > 0 || reader.isStreaming) return resultOf(reader)
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    return resultOf((await converse(socket, conversation, keep)).reader)
  }

  function takeIdle(): Socket | undefined {
    for (let socket = idle.pop(); socket !== undefined; socket = idle.pop()) {
      if (!socket.destroyed && socket.readable) return socket
    }
    return undefined
  }

  function keep(socket: Socket): void {
    idle.push(socket)
    socket.once('error', () => socket.destroy())
  }

  return {
    send,
    [Symbol.dispose]() {
      for (const socket of idle) socket.destroy()
    },
  }
}

function resultOf(reader: AnswerReader) {
  const { answers, begun, problem } = reader
  return { answers: begun === undefined ? answers : [...answers, begun], ...(problem !== undefined && { problem }) }
}

interface Ending {
  readonly reader: AnswerReader
  readonly hasEnded: boolean
}

function converse(
  socket: Socket,
  { pieces, methods, isHonest, hasEnd = false }: Conversation,
  keep: (socket: Socket) => void,
): Promise<Ending> {
  const reader = new AnswerReader(methods)
  return new Promise((resolve) => {
    let timer = setTimeout(giveUp, PATIENCE_MS)
    let isSent = false
    let isOver = false
    const finish = (hasEnded: boolean, mayBeKept: boolean) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      socket.removeAllListeners()
      if (mayBeKept && socket.writable) keep(socket)
      else {
        socket.on('error', () => socket.destroy())
        // A reset frees the port at once; a run needs more connections than there are ports.
        socket.resetAndDestroy()
      }
      resolve({ reader, hasEnded })
    }
    function giveUp(): void {
      if (isHonest && (hasEnd || !reader.isStreaming) && reader.answers.length < methods.length)
        reader.problem ??= `no answer within ${PATIENCE_MS} ms`
      finish(false, false)
    }
    function settle(): void {
      const isComplete = reader.answers.length >= methods.length && !reader.isStreaming
      if (reader.problem !== undefined) finish(false, false)
      else if (isHonest && isComplete && isSent) finish(false, !isLast(reader.answers.at(-1)))
      else if (isSent) {
        const hasToCome = isHonest && (hasEnd || !reader.isStreaming)
        clearTimeout(timer)
        timer = setTimeout(giveUp, hasToCome ? PATIENCE_MS : isComplete || reader.isStreaming ? SETTLED_MS : QUIET_MS)
      }
    }
    socket.on('data', (chunk: Buffer) => {
      reader.push(chunk)
      settle()
    })
    socket.on('end', () => {
      reader.end()
      finish(true, false)
    })
    socket.on('close', () => finish(true, false))
    socket.on('error', () => finish(true, false))
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
