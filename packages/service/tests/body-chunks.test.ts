import { takeBody } from '@taproom/http'
import { describe, expect, it } from 'vitest'
import { answerOf, open, request, start } from './raw-client.ts'

describe('takeBody, a body in the smallest chunks', () => {
  const chunks = 100_000

  it('comes whole, in few pieces, and without its connection being lost', async () => {
    let pieces = 0
    const server = await start((req, res) =>
      takeBody(req, {
        limitBytes: chunks * 2,
        onBytes: () => {
          pieces += 1
        },
        onBody: (body) => res.end(`${body.length} ${new Set(body).size}`),
        onTooLarge: () => res.end('too large'),
        onError: (error) => res.end(String(error)),
      }),
    )
    const client = open(server.port)
    client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    client.write('1\r\nx\r\n'.repeat(chunks))
    client.write('800\r\n')
    client.write('x'.repeat(0x800))
    client.write(`\r\n1\r\nx\r\n0\r\n\r\n${request('/next', 'Connection: close\r\n')}`)
    const { answer } = await answerOf(client)
    expect(answer).toContain(`\r\n\r\n${chunks + 0x800 + 1} 1`)
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect(pieces).toBeLessThan(chunks / 100)
  })

  it('is no worse as requests: a few are handled in a turn', async () => {
    let turn = 0
    let isOver = false
    const nextTurn = () => {
      turn += 1
      if (!isOver) setImmediate(nextTurn)
    }
    const turns = new Map<number, number>()
    const server = await start((_req, res) => {
      turns.set(turn, (turns.get(turn) ?? 0) + 1)
      res.end('a')
    })
    nextTurn()
    const client = open(server.port)
    client.write(request('/').repeat(400) + request('/', 'Connection: close\r\n'))
    const { answer } = await answerOf(client)
    isOver = true
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(401)
    expect(Math.max(...turns.values())).toBeLessThan(100)
  })
})
