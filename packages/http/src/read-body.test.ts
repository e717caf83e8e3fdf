import type { IncomingMessage } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type BodyTaker, readBody, readSome, takeBody } from './index.ts'

const chunks = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text)))
async function* broken(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
  throw new Error('reset')
}

describe('readBody', () => {
  it.each([['abc'], ['a', 'b', 'c'], ['', 'ab', '', 'c']])('joins the chunks %j', async (...texts) => {
    expect(String(await readBody(chunks(...texts), 3))).toBe('abc')
  })

  it('reads the body of a fetched answer, and none where there is none', async () => {
    expect(String(await readBody(new Response('abc').body, 3))).toBe('abc')
    expect(String(await readBody(new Response().body, 3))).toBe('')
  })

  it('gives up a body beyond the limit', async () => {
    const body = chunks('ab', 'cd', 'ef')
    expect(await readBody(body, 3)).toBeUndefined()
    expect(body.destroyed).toBe(true)
  })

  it('rejects for a body that breaks off', async () => {
    await expect(readBody(broken('a'), 3)).rejects.toThrow('reset')
  })
})

describe('readSome', () => {
  it('keeps what came within the limit, and says how it ended', async () => {
    expect(await readSome(chunks('ab', 'cd'), 3)).toEqual({ bytes: Buffer.from('abc'), isCut: true })
    expect(await readSome(chunks('ab', 'c'), 3)).toEqual({ bytes: Buffer.from('abc'), isCut: false })
    expect(await readSome(broken('ab'), 3)).toEqual({
      bytes: Buffer.from('ab'),
      isCut: false,
      brokenBy: expect.any(Error),
    })
  })
})

describe('takeBody', () => {
  function start(options: Partial<BodyTaker> = {}, headers: Readonly<Record<string, string>> = {}) {
    const request = Object.assign(new PassThrough(), { headers })
    const told: unknown[] = []
    takeBody(request as unknown as IncomingMessage, {
      limitBytes: 3,
      onBody: (body) => told.push(String(body)),
      onTooLarge: () => told.push('too large'),
      onError: (error) => told.push(error),
      ...options,
    })
    const closed = new Promise<void>((resolve) => request.once('close', resolve))
    return { request, told, closed }
  }

  it('tells of a whole body, once', async () => {
    const { request, told, closed } = start()
    request.write('ab')
    request.end('c')
    await closed
    expect(told).toEqual(['abc'])
  })

  it('refuses at once what says that it is beyond what is drained, and reads it all the same', async () => {
    const { request, told, closed } = start({}, { 'content-length': '4' })
    expect(told).toEqual(['too large'])
    request.end('abcd')
    await closed
    expect(told).toHaveLength(1)
  })

  it('reads a body beyond the limit to its end, up to the bound of that', async () => {
    const drained = start({ drainBytes: 6 })
    drained.request.write('abcd')
    expect(drained.told).toEqual([])
    drained.request.end('ef')
    await drained.closed
    const endless = start({ drainBytes: 6 })
    endless.request.write('abcd')
    endless.request.write('efg')
    await new Promise((resolve) => setImmediate(resolve))
    expect([drained.told, endless.told]).toEqual([['too large'], ['too large']])
  })

  it('tells what onBytes throws', async () => {
    const full = new Error('full')
    const onBytes = () => {
      throw full
    }
    const { request, told, closed } = start({ onBytes })
    request.end('abc')
    await closed
    expect(told).toEqual([full])
  })

  it('tells that the client left', async () => {
    const { request, told, closed } = start()
    request.write('a')
    request.destroy()
    await closed
    expect(told).toEqual([expect.objectContaining({ message: 'the client left before the end of the body' })])
  })
})
