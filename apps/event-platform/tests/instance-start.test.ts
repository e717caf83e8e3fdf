import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { FEW_ARENAS, SMALL_HEAP } from '@taproom/processes'
import { describe, expect, it } from 'vitest'
import { startInstance } from '../src/serving/instance.ts'

describe('startInstance', () => {
  it('decisions 3.131: gives it what keeps it small', { tags: 'linux' }, async () => {
    const output = new PassThrough()
    const main = fileURLToPath(new URL('./waiting-main.cjs', import.meta.url))
    const instance = startInstance({ app: 'demo', folder: '/', main, env: {}, output })
    const { promise: running, resolve } = Promise.withResolvers<void>()
    output.once('data', () => resolve())
    await running
    const of = (file: string) => readFileSync(`/proc/${instance.pid}/${file}`, 'utf8').split('\0')
    expect(of('cmdline')).toEqual(expect.arrayContaining([...SMALL_HEAP]))
    expect(of('environ')).toEqual(expect.arrayContaining(Object.entries(FEW_ARENAS).map((entry) => entry.join('='))))
    await instance.stop(1000)
    await expect(instance.ready).rejects.toThrow(/^demo /)
  })

  it.each([
    ['an environment larger than the system allows', { env: { A: 'x'.repeat(10_000_000) } }],
    ['a variable no process can be given', { env: { A: 'a\0b' } }],
    ['a folder that is not there', { folder: '/nowhere', env: {} }],
    ['a folder that none can be called', { folder: '/a\0b', env: {} }],
  ])('gives one that has ended for %s, and throws nothing', async (_case, options) => {
    const output = new PassThrough()
    const instance = startInstance({ app: 'demo', folder: '/', main: 'main.cjs', output, ...options })
    await expect(instance.ready).rejects.toThrow(/^demo /)
    expect(await instance.ended).toMatchObject({ code: null, signal: null })
    await instance.stop(1000)
  })
})
