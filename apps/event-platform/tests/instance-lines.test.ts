import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startInstance } from '../src/serving/instance.ts'

/** Writes unescaped input in pieces, the last line without an end. */
const MAIN = `
process.stdout.write('{"event":"a\\u2028b\\u2029c\\u0085d"}\\nan \\u001b]0;owned\\u0007 attribute\\r{"msg":"forged"}\\n')
process.stdout.write('x'.repeat(10 * 1024 * 1024))
`

describe('lines of an instance', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'taproom-instance-'))
    await writeFile(join(folder, 'main.cjs'), MAIN)
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('have the app as owner, whatever level they have, and keep one that they name', async () => {
    const main = join(folder, 'failing.cjs')
    const own = '{"level":"info","time":"t","service":"own","msg":"m"}'
    await writeFile(main, `console.log('${own}'); console.error('{"level":"fatal","msg":"failed to start"}')`)
    const output = new PassThrough()
    await startInstance({ app: 'loud', folder, main, env: {}, output }).ended
    const lines = (await text(output.end())).trimEnd().split('\n')
    expect(lines.toSorted()).toEqual([own, '{"service":"loud","level":"fatal","msg":"failed to start"}'])
  })

  it('end where it ended them, hide nothing, and are bounded', async () => {
    const output = new PassThrough({ highWaterMark: 64 * 1024 * 1024 })
    const written = text(output)
    const instance = startInstance({ app: 'loud', folder, main: join(folder, 'main.cjs'), env: {}, output })
    output.on('data', (chunk: Buffer) => chunk.includes('more characters') && output.end())
    await Promise.all([instance.ended, once(output, 'end')])
    const [event = '', forged, long = '', ...none] = (await written).split('\n')
    expect(event).toBe('{"service":"loud","event":"a\\u2028b\\u2029c\\u0085d"}')
    expect(JSON.parse(forged ?? '')).toMatchObject({
      service: 'loud',
      msg: 'an \\u001b]0;owned\\u0007 attribute\\r{"msg":"forged"}',
    })
    expect(JSON.parse(long)).toMatchObject({
      service: 'loud',
      msg: expect.stringMatching(/^x+… \(\d+ more characters\)$/),
    })
    expect(long.length).toBeLessThan(9_000_000)
    expect(none).toEqual([''])
  })
})
