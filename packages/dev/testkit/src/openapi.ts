export { AnswerMismatch } from './openapi/body-check.ts'
export { type DescribedApi, readDescription } from './openapi/described-api.ts'
