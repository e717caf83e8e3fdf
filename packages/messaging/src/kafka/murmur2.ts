const SEED = 0x9747b28c
const M = 0x5bd1e995
const R = 24

/**
 * The hash of a key by which Kafka's Java client chooses a partition, as a signed 32-bit number: `Utils.murmur2` of kafka-clients.
 * Linear in the length of the key. kafkajs's own uses numbers that grow with the key, so that a key of a megabyte blocks the
 * process for minutes.
 */
export function murmur2(key: Buffer): number {
  const { length } = key
  const whole = length & ~3
  let h = SEED ^ length
  for (let i = 0; i < whole; i += 4) {
    let k = Math.imul(key.readInt32LE(i), M)
    k ^= k >>> R
    h = Math.imul(h, M) ^ Math.imul(k, M)
  }
  if (length > whole) h = Math.imul(h ^ key.readUIntLE(whole, length - whole), M)
  h = Math.imul(h ^ (h >>> 13), M)
  return h ^ (h >>> 15)
}
