import type { Random } from '../../harness/random.ts'
import { inPlaces, type Shape } from '../kit/shapes.ts'
import { anyUnicode, mutateBytes } from '../kit/text.ts'
import { batchOf, hostileBatch, RECORD_SHAPES, recordOf } from './record-batch.ts'
import { framed, inventRequest, lengthOf, requestOf } from './request.ts'

/** The topic of all frames. */
export const TOPIC = 'fuzz'

const times = <T>(length: number, item: T): readonly T[] => Array.from({ length }, () => item)
const topics = (partitions: readonly object[]) => [{ name: TOPIC, partitions }]

function produceTo(partitions: readonly object[]): Buffer {
  return requestOf(0, 3, { transactionalId: null, acks: -1, timeoutMs: 1000, topics: topics(partitions) })
}

/** The frame of a Produce request. */
export function produce(batch: Buffer): Buffer {
  return produceTo([{ index: 0, records: batch }])
}

function metadataOf(names: readonly string[]): Buffer {
  return requestOf(3, 4, { topics: names.map((name) => ({ name })), allowAutoTopicCreation: true })
}

/** The frame of a Metadata request, which creates the topic. */
export const METADATA = metadataOf([TOPIC])

/** Frames of every known request with right structure, frames changed at random, and random bytes. */
export function hostileFrame(random: Random): Buffer {
  const dice = random.next()
  if (dice < 0.5) return framed(inventRequest(random))
  if (dice < 0.75) return framed(mutateBytes(random, inventRequest(random)))
  if (dice < 0.9) return produce(random.chance(0.5) ? hostileBatch(random) : mutateBytes(random, hostileBatch(random)))
  if (dice < 0.95) return mutateBytes(random, framed(inventRequest(random)))
  return Buffer.from(anyUnicode(random, 50))
}

/** Frames that are chosen to block the broker. */
export const FRAME_SHAPES: readonly Shape<Buffer>[] = [
  ...inPlaces(RECORD_SHAPES, { produce }),
  ...Object.entries({
    'a frame of 2 GB': () => Buffer.concat([lengthOf(2 ** 31 - 1), Buffer.alloc(1000)]),
    'a frame of less than nothing': () => lengthOf(-1),
    'a frame of nothing': () => lengthOf(0),
    '40,000 frames at once': () => Buffer.concat(times(40_000, requestOf(18, 0, {}))),
    '100,000 topics': () => metadataOf(Array.from({ length: 100_000 }, (_, index) => `t${index}`)),
    '100,000 times one topic': () => metadataOf(times(100_000, TOPIC)),
    '50,000 partitions': () =>
      requestOf(1, 4, {
        ...{ replicaId: -1, maxWaitMs: 0, minBytes: 0, maxBytes: 2 ** 20, isolationLevel: 0 },
        topics: topics(times(50_000, { index: 0, fetchOffset: 0, maxBytes: 2 ** 20 })),
      }),
    'an array of 2 billion': () => requestOf(3, 4, Buffer.concat([lengthOf(2 ** 31 - 1), Buffer.alloc(100)])),
    '10,000 batches to one partition': () => produceTo(times(10_000, { index: 0, records: batchOf([recordOf('a')]) })),
  }),
]
