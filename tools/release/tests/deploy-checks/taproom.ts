// @boundaries-ignore the description of the system is the root's, and no package's
export { system } from '../../../../system.ts'
