import type { FaultMode } from '../api/requests.ts'

export const MODES: readonly FaultMode[] = ['none', 'slow', 'failing', 'garbled', 'away']
