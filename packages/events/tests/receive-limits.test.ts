import { once } from 'node:events'
import { connect } from 'node:net'
import { LIMITS } from '@taproom/core/limits'
import { describe, expect, it } from 'vitest'
import { body, headers, start } from './receiving.ts'

describe('the limits of receiveEvents', () => {
  it('decisions 1.71: an event beyond 1 MiB is 413, with or without a length', async () => {
    const sizes: number[] = []
    await using server = await start((event) => {
      sizes.push(event.data?.length ?? 0)
    })
    const plain = { ...headers, 'content-type': 'text/plain' }
    const post = (data: string | ReadableStream) =>
      fetch(server.url, { method: 'POST', headers: plain, body: data, duplex: 'half' } as RequestInit)
    const limit = 1_048_576
    expect((await post('x'.repeat(limit))).status).toBe(200)
    const tooLong = await post('x'.repeat(limit + 1))
    expect(tooLong.status).toBe(413)
    expect(await tooLong.json()).toMatchObject({ code: 'EVENT_DATA_TOO_LARGE', attribute: 'data' })
    const chunked = new Blob(['x'.repeat(limit), 'x']).stream()
    expect((await post(chunked)).status).toBe(413)
    expect(sizes).toEqual([limit])
  })

  it('decisions 1.71: an event of 1 MiB in Base64 is taken in structured mode, whose limit is 1.5 MiB', async () => {
    const sizes: number[] = []
    await using server = await start((event) => {
      sizes.push(event.data?.length ?? 0)
    })
    const post = (members: string) =>
      fetch(server.url, {
        method: 'POST',
        headers: { 'content-type': 'application/cloudevents+json' },
        body: `{"specversion":"1.0","id":"1","source":"/curl","type":"aloha"${members}}`,
      })
    const base64 = (bytes: number) => `,"data_base64":"${Buffer.alloc(bytes).toString('base64')}"`
    expect((await post(base64(LIMITS.eventDataBytes))).status).toBe(200)
    for (const members of [
      base64(LIMITS.eventDataBytes + 1),
      `,"data":"${'x'.repeat(LIMITS.eventDataBytes)}"`,
      ' '.repeat(LIMITS.structuredEventBytes),
    ]) {
      const tooLarge = await post(members)
      expect([tooLarge.status, await tooLarge.json()]).toMatchObject([413, { code: 'EVENT_DATA_TOO_LARGE' }])
    }
    expect(sizes).toEqual([LIMITS.eventDataBytes])
  })

  it('refuses more attributes than the limit with 400 that names the rule', async () => {
    await using server = await start(() => {})
    const members = Array.from({ length: 50_000 }, (_, index) => `"k${index}":1`)
    const response = await fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/cloudevents+json' },
      body: `{"specversion":"1.0","id":"1","source":"/curl","type":"aloha",${members}}`,
    })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'EVENT_TOO_MANY_ATTRIBUTES', detail: 'an event must not have more than 256 attributes' },
    ])
  })

  it('a body without end is refused at eight times the limit', async () => {
    await using server = await start(() => {}, { dataLimitBytes: 1000 })
    const socket = connect(server.port, '127.0.0.1').setEncoding('utf8')
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n`)
    socket.write(`2000\r\n${'x'.repeat(8192)}\r\n`)
    const [answer] = await once(socket, 'data')
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*Connection: close/)
    await once(socket, 'close')

    const announced = connect(server.port, '127.0.0.1').setEncoding('utf8')
    announced.write(`POST / HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\nContent-Length: 8001\r\n\r\n`)
    expect((await once(announced, 'data'))[0]).toMatch(/^HTTP\/1\.1 413 /)
    await once(announced, 'close')
  })

  it('the limit is configurable', async () => {
    await using server = await start(() => {}, { dataLimitBytes: body.length })
    expect((await fetch(server.url, { method: 'POST', headers, body })).status).toBe(200)
    expect((await fetch(server.url, { method: 'POST', headers, body: `${body} ` })).status).toBe(413)
  })
})
