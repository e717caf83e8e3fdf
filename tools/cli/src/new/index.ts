export { NewUsageError } from './errors.ts'
export { checkName, renamed } from './names.ts'
