import type { TestOptions } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** What a skipped test would need. */
    needs?: string
  }
}

/**
 * Options of a test or suite that is skipped where something is missing; the summary of `pnpm test` counts skipped tests by what they need.
 *
 * @example
 * describe('kcat', needs('kcat', isKcatInstalled), () => { … })
 */
export function needs(what: string, isHere: boolean): Pick<TestOptions, 'skip' | 'meta'> {
  return isHere ? {} : { skip: true, meta: { needs: what } }
}
