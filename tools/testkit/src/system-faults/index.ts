export type { FaultySystem, SystemFault } from './faulty-system.ts'
export { SYSTEM_FAULTS } from './system-faults.ts'
