import { configuration } from './vitest.config.ts'

/** `pnpm test:long`. */
export default configuration('test:long')
