import { describe, expect, it } from 'vitest'
import { topicRules } from './topic-rules.ts'

describe('topicRules', () => {
  it('drops by age and size only where the policy says delete', () => {
    const retention = { 'retention.ms': '5', 'retention.bytes': '7' }
    expect(topicRules({ ...retention, 'cleanup.policy': 'compact' })).toMatchObject({
      isCompacted: true,
      isDeleted: false,
      log: { retentionMs: -1, retentionBytes: -1 },
    })
    expect(topicRules({ ...retention, 'cleanup.policy': ' delete , compact' })).toMatchObject({
      isCompacted: true,
      isDeleted: true,
      log: { retentionMs: 5, retentionBytes: 7 },
    })
    expect(topicRules({ 'retention.bytes': '-5' }).log.retentionBytes).toBe(-1)
  })

  it('begins segments of compacted topics in time for max.compaction.lag.ms', () => {
    const settings = { 'segment.ms': '100', 'max.compaction.lag.ms': '50' }
    expect(topicRules(settings).log.segmentMs).toBe(100)
    expect(topicRules({ ...settings, 'cleanup.policy': 'compact' }).log.segmentMs).toBe(50)
  })

  it('keeps segments within what memory and files can take', () => {
    expect(topicRules({ 'segment.bytes': '2147483647' }).log.segmentBytes).toBe(2 ** 30)
    expect(topicRules({ 'internal.segment.bytes': '-100' }).log.segmentBytes).toBe(1024)
  })

  it('does without values of older versions that are none', () => {
    expect(topicRules({ 'max.message.bytes': 'many' }).maxMessageBytes).toBe(1_048_588)
  })
})
