export { NewUsageError } from './errors.ts'
export { makeNew } from './make-new.ts'
export { checkName, renamed } from './names.ts'
