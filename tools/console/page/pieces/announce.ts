import { signal } from '@preact/signals'
import { setter } from '../setter.ts'

/** The next announcement for screen readers. */
export const announcement = signal('')
export const announce = setter(announcement)
