export { runSystem } from './run-system.ts'
