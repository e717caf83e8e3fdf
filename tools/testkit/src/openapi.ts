export { AnswerMismatch, type DescribedApi, readDescription } from '@taproom/openapi/testing'
