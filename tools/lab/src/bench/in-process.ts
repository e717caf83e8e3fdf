import type { Contender } from './area.ts'

/** A function called in this process, one call after another. Its rate is calls per second of CPU time. */
export function inProcess(name: string, call: () => unknown, { calls }: { readonly calls: number }): Contender {
  return {
    name,
    async measure() {
      const before = process.cpuUsage()
      for (let count = 0; count < calls; count += 1) await call()
      const { user, system } = process.cpuUsage(before)
      return calls / ((user + system) / 1e6)
    },
  }
}
