import { config } from '../../vitest.shared.ts'

export default config
