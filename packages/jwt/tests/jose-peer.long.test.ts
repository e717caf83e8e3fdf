import { describe, expect, it } from 'vitest'
import { agreeOnMutated, agreeOnSigned } from './jose-peer.ts'

const seed = Math.floor(Math.random() * 2 ** 31)
console.log(`jose-peer: seed ${seed}`)

describe('verification beside jose’s', () => {
  it('accepts and refuses the same signed tokens', async () => {
    const counts = await agreeOnSigned({ numRuns: 400, seed })
    expect(counts.accepted).toBeGreaterThan(40)
    expect(counts.refused).toBeGreaterThan(40)
  })

  it('accepts and refuses the same mutated tokens', async () => {
    const counts = await agreeOnMutated({ numRuns: 600, seed })
    expect(counts.refused).toBeGreaterThan(400)
  })
})
