import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockState, StateLockError } from '../src/state/state-lock.ts'

describe('lockState', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'taproom-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const lock = (pid: number, running: readonly number[] = []) =>
    lockState({ path: join(folder, 'lock'), pid, isRunning: async (other) => running.includes(other) })

  it('is held by one running system at a time', async () => {
    const first = await lock(1)
    expect(first.recovered).toBe(false)
    await expect(lock(2, [1])).rejects.toThrow(StateLockError)
    await expect(lock(2, [1])).rejects.toThrow(`another system runs on ${folder} (process 1)`)
    await expect(lock(2, [1])).rejects.toThrow('PORT, KUBE_PORT and KAFKA_PORT to other ports')
    await first[Symbol.asyncDispose]()
    await using second = await lock(2, [1])
    expect(second.recovered).toBe(false)
  })

  it('is taken over from a system that ended without giving it back', async () => {
    await lock(1)
    await using second = await lock(2)
    expect(second.recovered).toBe(true)
    expect(await readFile(join(folder, 'lock'), 'utf8')).toBe('2\n')
  })

  it('is taken over when the file is broken', async () => {
    await writeFile(join(folder, 'lock'), 'rubbish')
    await using taken = await lock(2, [1])
    expect(taken.recovered).toBe(true)
  })

  it('goes to one of many who find it stale at the same time', async () => {
    await lock(1)
    const takers = [11, 12, 13, 14, 15]
    const taken = await Promise.allSettled(takers.map((pid) => lock(pid, takers)))
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is taken over after a process was killed while it took it over', async () => {
    await lock(1)
    const taking = join(folder, 'lock.taking')
    await writeFile(taking, '2\n')
    await utimes(taking, 0, 0)
    await using third = await lock(3)
    expect(third.recovered).toBe(true)
    expect(await readdir(folder)).toEqual(['lock'])
  })
})
