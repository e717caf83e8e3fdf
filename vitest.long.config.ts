import { configuration, LONG } from './vitest.config.ts'

/** `pnpm test:long`. */
export default configuration({ include: LONG, exclude: [] }, 'test-long-report.json')
