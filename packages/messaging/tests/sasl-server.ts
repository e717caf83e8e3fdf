import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A broker as far as clients get with SASL: it says what it can do, takes the handshake, and judges what they send. */
export interface SaslServer extends AsyncDisposable {
  readonly bootstrapServers: string
  /** What clients have authenticated with, as text. */
  readonly messages: readonly string[]
  /** What it says to the last message, from now on. */
  verdict: Verdict
}

/** `repeat` refuses with an error that says what the client sent; `challenge` sends bytes back first, as RFC 7628 has it. */
export type Verdict = 'accept' | 'refuse' | 'repeat' | 'challenge' | 'challenge and hang up' | 'hang up'

const [METADATA, HANDSHAKE, API_VERSIONS, AUTHENTICATE] = [3, 17, 18, 36] as const
const SUPPORTED = [
  [METADATA, 0, 1],
  [HANDSHAKE, 0, 1],
  [API_VERSIONS, 0, 2],
  [AUTHENTICATE, 0, 0],
] as const
/** Without the API for it, messages of SASL come as they are behind a handshake of version 0. */
const SUPPORTED_BEFORE_1_0 = [
  [METADATA, 0, 1],
  [HANDSHAKE, 0, 0],
  [API_VERSIONS, 0, 2],
] as const
const [UNSUPPORTED_SASL_MECHANISM, SASL_AUTHENTICATION_FAILED] = [33, 58]

interface SaslServerOptions {
  /** Of Kafka before 1.0: it has no SaslAuthenticate. */
  readonly isOld?: boolean
  /** What it asks of clients with SCRAM. */
  readonly iterations?: string
}

export async function startSaslServer(
  mechanisms: readonly string[],
  { isOld = false, iterations = '4096' }: SaslServerOptions = {},
): Promise<SaslServer> {
  const supported = isOld ? SUPPORTED_BEFORE_1_0 : SUPPORTED
  const messages: string[] = []
  const sockets = new Set<Socket>()
  let verdict: Verdict = 'accept'
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    let isNextBare = false
    socket.on('data', (frame) => {
      if (isNextBare) {
        isNextBare = false
        messages.push(frame.subarray(4).toString())
        if (verdict === 'accept') return void socket.write(int32(0))
        // There is no other way to refuse.
        return void (verdict === 'hang up' ? socket.resetAndDestroy() : socket.destroy())
      }
      isNextBare = isOld && frame.readInt16BE(4) === HANDSHAKE
      const correlation = frame.subarray(8, 12)
      const body = frame.subarray(14 + Math.max(frame.readInt16BE(12), 0))
      const answer = answerTo(frame.readInt16BE(4), body)
      if (answer === undefined) socket.destroy()
      else socket.write(Buffer.concat([int32(4 + answer.length), correlation, answer]))
    })
  })

  function answerTo(api: number, body: Buffer): Buffer | undefined {
    if (api === API_VERSIONS) {
      const entries = supported.flat().map(int16)
      return Buffer.concat([int16(0), int32(supported.length), ...entries, int32(0)])
    }
    if (api === HANDSHAKE) {
      const isKnown = mechanisms.includes(body.subarray(2).toString())
      const names = mechanisms.map(text)
      return Buffer.concat([int16(isKnown ? 0 : UNSUPPORTED_SASL_MECHANISM), int32(names.length), ...names])
    }
    // Metadata: no brokers but this one's seed, and no topics.
    if (api === METADATA && verdict === 'accept') return Buffer.concat([int32(0), int32(0), int32(0)])
    if (api !== AUTHENTICATE) return undefined
    const message = body.subarray(4).toString()
    if (verdict === 'challenge and hang up' && message === '\x01') return undefined
    messages.push(message)
    if (verdict === 'hang up') return undefined
    const nonce = /^n,,n=.*,r=(.*)$/.exec(message)?.[1]
    if (nonce !== undefined) {
      const first = Buffer.from(`r=${nonce}server,s=c2FsdA==,i=${iterations}`)
      return Buffer.concat([int16(0), int16(-1), int32(first.length), first])
    }
    if (verdict === 'accept') return Buffer.concat([int16(0), int16(-1), int32(0)])
    if (verdict.startsWith('challenge') && message !== '\x01') {
      const status = Buffer.from('{"status":"invalid_token"}')
      return Buffer.concat([int16(0), int16(-1), int32(status.length), status])
    }
    const said = verdict === 'repeat' ? `no such password: ${message}` : 'Authentication failed'
    return Buffer.concat([int16(SASL_AUTHENTICATION_FAILED), text(said), int32(0)])
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    bootstrapServers: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    get verdict() {
      return verdict
    },
    set verdict(next: Verdict) {
      verdict = next
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)])
}
