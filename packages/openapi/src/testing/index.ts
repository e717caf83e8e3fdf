export { AnswerMismatch } from './body-check.ts'
export { type DescribedApi, readDescription } from './described-api.ts'
export { fetchAlone } from './fetch-alone.ts'
export { readText } from './read-text.ts'
