import { signal } from '@preact/signals'
import { setter } from '../setter.ts'

/** What a screen reader is told next. */
export const announcement = signal('')
export const announce = setter(announcement)
