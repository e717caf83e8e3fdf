import { type ICustomPartitioner, type Message, Partitioners } from '@taproom/kafkajs'
import { murmur2 } from './murmur2.ts'

/**
 * The Java client's partitioning, but with the same partition for a message each time: kafkajs asks again when it
 * repeats a request, and could otherwise write a message without a key to two partitions.
 */
export const createPartitioner: ICustomPartitioner = () => {
  const choose = Partitioners.DefaultPartitioner()
  const chosen = new WeakMap<Message, number>()
  return (args) => {
    const { message, partitionMetadata } = args
    if (message.key != null && message.partition == null) {
      const key = typeof message.key === 'string' ? Buffer.from(message.key) : message.key
      return (murmur2(key) & 0x7fffffff) % partitionMetadata.length
    }
    const known = chosen.get(message)
    if (known !== undefined) return known
    const partition = choose(args)
    chosen.set(message, partition)
    return partition
  }
}
