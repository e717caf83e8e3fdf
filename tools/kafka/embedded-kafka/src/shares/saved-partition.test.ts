import { expect, it } from 'vitest'
import { Clock } from '../clock.ts'
import { NO_DAMAGE } from '../storage/damage.ts'
import { StateStore } from '../storage/state-store.ts'
import { SharePartitions } from './share-partitions.ts'

it.each([
  ['before the end', 10, [], 20, 10, []],
  ['behind the end', 30, [], 20, 20, []],
  ['with a part that ends behind it', 10, [[12, 25, 1, 1]], 20, 10, [[12, 19, 1, 1]]],
  [
    'with parts on both sides',
    10,
    [
      [12, 14, 2, 0],
      [20, 22, 1, 1],
    ],
    20,
    10,
    [[12, 14, 2, 0]],
  ],
  ['of a topic that is not there', 30, [], undefined, 30, []],
])(
  'decisions 3.91: after a power cut a share group %s knows nothing behind the end',
  (_, startOffset, parts, end, moved, left) => {
    const key = { groupId: 'g', topicId: 't', index: 0 }
    const state = new StateStore(undefined, { damage: NO_DAMAGE })
    const value = { startOffset, leaderEpoch: 0, parts }
    state.write([{ table: 'share-partitions', id: JSON.stringify(['g', 't', 0]), value }])
    const rulesOf = () => {
      throw new Error('nobody reads')
    }
    const partitions = new SharePartitions({ state, clock: new Clock(), rulesOf })
    partitions.moveBack(() => end)
    expect(partitions.saved(key)).toEqual({ startOffset: moved, leaderEpoch: 0, parts: left })
    state.close()
  },
)
