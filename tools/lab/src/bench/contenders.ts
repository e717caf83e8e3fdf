import { type Contender, contender } from '../harness/contender.ts'

/** A function called in this process, one call after another. Its rate is calls per second of CPU time. */
export function inProcess(name: string, call: () => unknown, { calls }: { readonly calls: number }): Contender {
  return contender(name, async () => {
    const before = process.cpuUsage()
    for (let count = 0; count < calls; count += 1) await call()
    const { user, system } = process.cpuUsage(before)
    return calls / ((user + system) / 1e6)
  })
}

/** A budget as a contender, for what has no peer: a size or a time that ours must not be over, as a rate of one in so much. */
export function limit(name: string, most: number): Contender {
  return { name, measure: () => Promise.resolve(1 / most) }
}
