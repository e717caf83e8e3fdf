export { AnswerMismatch, type DescribedApi, readDescription } from '@taproom/described-api'
