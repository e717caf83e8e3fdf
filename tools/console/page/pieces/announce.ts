import { signal } from '@preact/signals'

/** What a screen reader is told next. */
export const announcement = signal('')

export function announce(text: string): void {
  announcement.value = text
}
