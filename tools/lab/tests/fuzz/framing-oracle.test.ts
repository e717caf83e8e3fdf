import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, createServer, type Server } from 'node:net'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createLanesTarget, type LanesOptions } from '../../src/fuzz/framing/lanes-target.ts'
import { startLoneGateway } from '../../src/fuzz/framing/lone-gateway.ts'
import { readByNode } from '../../src/fuzz/framing/node-reader.ts'
import { notPassedOn } from '../../src/fuzz/framing/passed-on.ts'
import { StrictReader } from '../../src/fuzz/framing/strict-reader.ts'

const PLAIN = { method: 'POST', path: '/movie', body: '{}' }

/**
 * Returns the complaints of the oracle about a proxy, by the names of the shapes. Each of `expected` is sent until there is a complaint,
 * because bytes that reach the backend late count for the next conversation.
 */
async function wrongOf(
  start: (lane: { port: number; backend: number }, opened: AsyncDisposableStack) => Promise<unknown>,
  expected: readonly string[] = [],
) {
  await using opened = new AsyncDisposableStack()
  const options: LanesOptions = {
    async start(lanes) {
      await Promise.all(lanes.map((lane) => start(lane, opened)))
      return { errors: [] }
    },
    example: () => PLAIN,
    plain: PLAIN,
  }
  const { shapes, probe } = await createLanesTarget(options, opened)
  expect(await probe()).toEqual([])
  const wrong = new Map<string, string>()
  const framings = shapes.filter(([name]) => name.startsWith('framing: '))
  const send = async ([fullName, make]: (typeof framings)[number]) => {
    const name = fullName.replace('framing: ', '')
    const [complaint] = (await make().send()).filter(({ kind }) => kind === 'wrong')
    if (complaint !== undefined) wrong.set(name, complaint.message)
    return wrong.has(name)
  }
  await Promise.all(framings.map(send))
  for (const name of expected) {
    const framing = framings.find(([fullName]) => fullName === `framing: ${name}`)
    if (framing === undefined) throw new Error(`there is no shape ${name}`)
    await waitFor(`what is wrong with ${name}`, () => send(framing))
  }
  return wrong
}

async function listening(server: Server, port: number, opened: AsyncDisposableStack): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(() => void server.close())
}

/** A proxy by Node's client and server, without a look at the framing. */
function careless(backend: number) {
  return (incoming: IncomingMessage, response: ServerResponse) => {
    const { method, url: path, rawHeaders } = incoming
    const headers = rawHeaders.filter((_, index) => !/^connection$/i.test(rawHeaders[index - (index % 2)] ?? ''))
    // Node's client refuses some names that its lenient parser reads.
    if (headers.some((name) => name.endsWith(' '))) return void response.destroy()
    const outgoing = request({ host: '127.0.0.1', port: backend, agent: false, method, path, headers, setHost: false })
    outgoing.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502)))
    outgoing.on('error', () => response.destroy())
    incoming.on('error', () => outgoing.destroy())
    incoming.pipe(outgoing)
  }
}

describe('the oracle of framing', () => {
  it('finds nothing with the gateway of this repository', async () => {
    const wrong = await wrongOf(async ({ port, backend }, opened) => opened.use(await startLoneGateway(port, backend)))
    expect(Object.fromEntries(wrong)).toEqual({})
  })

  it('finds a proxy that passes bytes on as they come', async () => {
    const expected = ['a length before a coding', 'two lengths', 'a folded coding', 'a coding after a bare LF']
    const wrong = await wrongOf(async ({ port, backend }, opened) => {
      const server = createServer((socket) => {
        const behind = connect(backend, '127.0.0.1')
        for (const one of [socket, behind]) one.on('error', () => void [socket.destroy(), behind.destroy()])
        socket.pipe(behind).pipe(socket)
      })
      await listening(server, port, opened)
    }, expected)
    expect([...wrong.keys()]).toEqual(expect.arrayContaining(expected))
  })

  it('finds a proxy whose parser is lenient', async () => {
    const wrong = await wrongOf(
      async ({ port, backend }, opened) => {
        const server = createHttpServer({ insecureHTTPParser: true }, careless(backend))
        await listening(server, port, opened)
      },
      ['lines that end in LF, without a body', 'a length before a coding'],
    )
    expect([...wrong.values()]).toContainEqual(expect.stringMatching(/^the backend got a request that was not sent; /))
    expect([...wrong.values()]).toContainEqual(
      expect.stringMatching(/^the backend got bytes that readers read differently; /),
    )
  })
})

const GET = 'GET /a HTTP/1.1\r\nHost: x\r\n'
const seen = (text: string) => {
  const reader = new StrictReader()
  for (const byte of Buffer.from(text, 'latin1')) reader.push(Buffer.from([byte]))
  return { targets: reader.requests.map(({ target, body }) => `${target} ${body}`), fault: reader.fault }
}

describe('StrictReader', () => {
  it('reads requests one after another, by their lengths and their chunks', () => {
    const chunked = 'POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n'
    expect(seen(`${GET}\r\n${chunked}${GET}Content-Length: 2\r\n\r\nok`)).toEqual({
      targets: ['/a ', '/b hello', '/a ok'],
      fault: undefined,
    })
  })

  it.each([
    [`${GET}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 'two framings: "1, chunked"'],
    [`${GET}Content-Length: 1\r\nContent-Length: 1\r\n\r\n`, 'two framings: "1, 1"'],
    [`${GET}Content-Length: +1\r\n\r\n`, 'the Content-Length: "+1"'],
    [`${GET}Transfer-Encoding: Chunked\r\n\r\n`, 'the Transfer-Encoding: "Chunked"'],
    [`${GET}Host: y\r\n\r\n`, 'the hosts: "x, y"'],
    [`${GET}X: 1\r\n y\r\n\r\n`, 'a header: " y"'],
    [`${GET}X: 1\nY: 2\r\n\r\n`, 'a header: "X: 1\\nY: 2"'],
    [`${GET}X : 1\r\n\r\n`, 'a header: "X : 1"'],
    ['GET /a HTTP/1.0\r\n\r\n', 'the request line: "GET /a HTTP/1.0"'],
    [`${GET}Transfer-Encoding: chunked\r\n\r\n1;x\r\n`, 'a chunk: "1;x\\r\\n"'],
  ])('refuses what can be read in two ways: %j', (text, fault) => {
    expect(seen(text).fault?.slice(0, fault.length)).toBe(fault)
  })
})

describe('what a backend gets', () => {
  const readOne = async (text: string) =>
    (await readByNode([Buffer.from(text, 'latin1')]))[0] ?? expect.fail('no request')

  it('is what Node reads: whole requests, however many, and none of bytes that are not HTTP', async () => {
    const many = `${GET}\r\n`.repeat(50)
    expect(
      await readByNode([Buffer.from(many), Buffer.from(`${GET}Content-Length: 5\r\n\r\nhe`), Buffer.from('llo')]),
    ).toHaveLength(51)
    expect(await readByNode([Buffer.from(`${GET}\r\n{}`)])).toHaveLength(1)
    expect(await readByNode([Buffer.from(`${GET}Content-Length: 5\r\n\r\nhe`)])).toHaveLength(0)
    expect(await readByNode([Buffer.from(`${GET}\r\n`.replaceAll('\r\n', '\n'))])).toHaveLength(0)
  })

  it.each([
    ['another method', 'HEAD /a?b HTTP/1.1\r\nHost: x\r\nX: 1\r\n\r\n', false],
    ['another query', 'GET /a?c HTTP/1.1\r\nHost: x\r\nX: 1\r\n\r\n', false],
    ['a header that was not sent', 'GET /a?b HTTP/1.1\r\nHost: x\r\nX: 1\r\nY: 1\r\n\r\n', false],
    ['a body that was not sent', 'GET /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1', false],
    [
      "the proxy's own headers",
      'GET /a?b HTTP/1.1\r\nHost: y\r\nx: 1\r\nVia: 1.1 z\r\nConnection: close\r\n\r\n',
      true,
    ],
    ['a path without the prefix of its route', 'GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n', true],
  ])('is compared with it: %s', async (_, text, isSame) => {
    const sent = await readOne('GET /brokers/a?b HTTP/1.1\r\nHost: x\r\nX: 1\r\n\r\n')
    expect(notPassedOn(await readOne(text), [sent]) === undefined).toBe(isSame)
  })
})
