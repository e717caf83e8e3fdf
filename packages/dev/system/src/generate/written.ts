/** The first line of a file that is written as a whole. */
export const WRITTEN = 'Written by `pnpm generate` from system.ts: change that, not this.'
