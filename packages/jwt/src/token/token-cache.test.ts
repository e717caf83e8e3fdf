import { describe, expect, it } from 'vitest'
import { createVerification, keep } from '../../tests/verification.ts'

const { sign, verifier } = await createVerification()

describe('the cache of verified tokens', () => {
  const start = Date.now()

  it('keeps a token the second time it comes', async () => {
    const cached = await verifier()
    const token = await sign()
    const first = await cached.verify(token)
    const second = await cached.verify(token)
    expect(second).not.toBe(first)
    expect(second).toEqual(first)
    expect(await cached.verify(token)).toBe(second)
  })

  it('never serves a token past its exp', async () => {
    let time = start
    const cached = await verifier({ clock: () => time })
    const token = await sign({ exp: Math.floor(start / 1000) + 10 })
    const kept = await keep(cached, token)
    expect(await cached.verify(token)).toBe(kept)
    time = (Math.floor(start / 1000) + 10) * 1000 - 1
    expect(await cached.verify(token)).toBe(kept)
    time += 1
    await expect(cached.verify(token)).rejects.toMatchObject({ reason: 'expired' })
  })

  it('never serves a token past its age limit', async () => {
    let time = start
    const cached = await verifier({ clock: () => time, maxTokenAgeSeconds: 60 })
    const token = await sign()
    await keep(cached, token)
    time += 61_000
    await expect(cached.verify(token)).rejects.toMatchObject({ reason: 'too_old' })
  })

  it.each([2, 3, 4])('never gives one caller the claims of another, with room for %i of four', async (cacheSize) => {
    const cached = await verifier({ cacheSize })
    const tokens = await Promise.all(['a', 'b', 'c', 'd'].map((user) => sign({ user })))
    for (let round = 0; round < 3; round += 1) {
      const names = await Promise.all(
        tokens.map(async (token) => (await cached.verify(token)).claims.preferred_username),
      )
      expect(names).toEqual(['a', 'b', 'c', 'd'])
    }
  })

  it('is bounded, and forgets a token that was not used before one that was', async () => {
    const cached = await verifier({ cacheSize: 2 })
    const [a, b, c] = await Promise.all([sign({ user: 'a' }), sign({ user: 'b' }), sign({ user: 'c' })])
    const [keptA, keptB] = [await keep(cached, a), await keep(cached, b)]
    expect(await cached.verify(a)).toBe(keptA)
    await cached.verify(c)
    expect(await cached.verify(a)).toBe(keptA)
    expect(await cached.verify(b)).not.toBe(keptB)
  })

  it('gives another chance to tokens that were used, and room to a new one when all were', async () => {
    const cached = await verifier({ cacheSize: 3 })
    const [a, b, c, d] = await Promise.all(['a', 'b', 'c', 'd'].map((user) => sign({ user })))
    const kept = [await keep(cached, a ?? ''), await keep(cached, b ?? ''), await keep(cached, c ?? '')]
    for (const token of [a, b, c]) await cached.verify(token ?? '')
    const keptD = await keep(cached, d ?? '')
    expect(await cached.verify(d ?? '')).toBe(keptD)
    // All were used once: the oldest of them made room.
    expect(await cached.verify(c ?? '')).toBe(kept[2])
    expect(await cached.verify(b ?? '')).toBe(kept[1])
    expect(await cached.verify(a ?? '')).not.toBe(kept[0])
  })

  it('can be turned off', async () => {
    const uncached = await verifier({ cacheSize: 0 })
    const token = await sign()
    expect(await keep(uncached, token)).not.toBe(await uncached.verify(token))
  })
})
