export { AnswerMismatch } from './openapi/answer-mismatch.ts'
export { type DescribedApi, readDescription } from './openapi/described-api.ts'
