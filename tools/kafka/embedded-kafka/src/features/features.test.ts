import { describe, expect, it } from 'vitest'
import { StateStore } from '../storage/state-store.ts'
import { Features } from './features.ts'

const [UPGRADE, SAFE_DOWNGRADE] = [1, 2]
const KEPT = { validateOnly: false }

describe('decisions 3.90: levels of features', () => {
  it('are the highest, change all or none, and are kept', () => {
    const state = new StateStore()
    const features = new Features(state)
    const lower = { feature: 'group.version', level: 0, upgradeType: SAFE_DOWNGRADE }
    features.update([lower], { validateOnly: true })
    const unknown = { feature: 'planet.version', level: 1, upgradeType: UPGRADE }
    expect(() => features.update([lower, unknown], KEPT)).toThrow('does not support this feature')
    expect([features.levelOf('group.version'), features.epoch]).toEqual([1, 0])
    features.update([lower], KEPT)
    expect(() => features.update([{ ...lower, level: 1 }], KEPT)).toThrow("Can't downgrade to a newer version")
    expect(() => features.update([{ ...lower, level: 2, upgradeType: UPGRADE }], KEPT)).toThrow(
      'only supports versions',
    )
    const again = new Features(state)
    expect([again.levelOf('group.version'), again.levelOf('transaction.version'), again.epoch]).toEqual([0, 2, 1])
  })
})
