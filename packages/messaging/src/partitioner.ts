import { type ICustomPartitioner, type Message, Partitioners } from 'kafkajs'

/**
 * The Java client's partitioning, which in addition gives one message the same partition each time it is asked:
 * kafkajs asks again when it repeats a request, and a message without a key could otherwise be written to two partitions.
 */
export const createPartitioner: ICustomPartitioner = () => {
  const choose = Partitioners.DefaultPartitioner()
  const chosen = new WeakMap<Message, number>()
  return (args) => {
    const known = chosen.get(args.message)
    if (known !== undefined) return known
    const partition = choose(args)
    chosen.set(args.message, partition)
    return partition
  }
}
