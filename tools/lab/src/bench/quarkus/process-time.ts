import { readFileSync } from 'node:fs'

/** Linux reports CPU time to programs in this unit, whatever its own clock. */
const TICKS_PER_SECOND = 100

/**
 * CPU seconds of a process to a hundredth, with those of threads that have ended, as a JVM's do. @throws {Error} where /proc does not have
 * them
 */
export function processSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // After the name, which may have spaces and brackets in it: the 14th and 15th field of all.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
