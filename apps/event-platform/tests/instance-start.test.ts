import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { startInstance } from '../src/serving/instance.ts'

describe('startInstance', () => {
  it.each([
    ['an environment larger than the system allows', { env: { A: 'x'.repeat(10_000_000) } }],
    ['a variable no process can be given', { env: { A: 'a\0b' } }],
    ['a folder that is not there', { folder: '/nowhere', env: {} }],
    ['a folder that none can be called', { folder: '/a\0b', env: {} }],
  ])('gives one that has ended for %s, and throws nothing', async (_case, options) => {
    const output = new PassThrough()
    const instance = startInstance({ app: 'demo', folder: '/', main: 'main.cjs', output, ...options })
    await expect(instance.ready).rejects.toThrow(/^demo /)
    expect(await instance.exited).toEqual({ code: null, signal: null })
    await instance.stop(1000)
  })
})
