import { type Field, whole } from '../http/fields.ts'

export const PARTITION: Field<number> = whole(0, 2 ** 31 - 1)
/** Characters of a topic's name. */
export const MAX_NAME = 249

const MAX_OFFSET = 2n ** 63n - 1n

/** Offsets have 64 bits: they are texts. */
export const OFFSET: Field<bigint> = {
  expected: 'an offset: a text of digits',
  read(value) {
    const offset = typeof value === 'string' && /^\d{1,19}$/.test(value) ? BigInt(value) : undefined
    return offset !== undefined && offset <= MAX_OFFSET ? offset : undefined
  },
}
