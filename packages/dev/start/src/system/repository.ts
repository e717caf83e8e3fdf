import { fileURLToPath } from 'node:url'

export const REPOSITORY = fileURLToPath(new URL('../../../../..', import.meta.url))
