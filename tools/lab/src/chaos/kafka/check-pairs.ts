import type { PairedTransaction } from './history.ts'

/**
 * Checks that transactions were whole, by the records that `read_committed` readers see of each of the two partitions, and the offset that
 * the group has in the end.
 */
export function checkPairs(
  transactions: readonly PairedTransaction[],
  seen: readonly [readonly number[], readonly number[]],
  committedOffset: number,
): string[] {
  const findings: string[] = []
  const [left, right] = seen.map((numbers) => new Set(numbers))
  for (const [index, numbers] of seen.entries()) {
    const at = numbers.findIndex((number, place) => place > 0 && number <= (numbers[place - 1] ?? -1))
    if (at >= 0) findings.push(`partition ${index}: ${numbers[at]} comes after ${numbers[at - 1]}`)
  }
  for (const { number, outcome } of transactions) {
    const count = Number(left?.has(number)) + Number(right?.has(number))
    if (count === 1) findings.push(`the transaction ${number} is half there`)
    if (outcome === 'commit' && count === 0) findings.push(`the transaction ${number} was committed and is not there`)
    if (outcome === 'abort' && count > 0) findings.push(`the transaction ${number} was aborted and is seen`)
  }
  const last = seen[0].at(-1) ?? -1
  if (committedOffset !== last) findings.push(`the group is at ${committedOffset}, the last transaction is ${last}`)
  return findings
}
