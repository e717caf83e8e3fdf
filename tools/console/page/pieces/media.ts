import { type ReadonlySignal, signal } from '@preact/signals'

/** There is little room, as the style sheet has it. */
export const isNarrow = matching('(max-width: 760px)')

/** The machine asks for dark colours. */
export const isDark = matching('(prefers-color-scheme: dark)')

function matching(query: string): ReadonlySignal<boolean> {
  const media = matchMedia(query)
  const matches = signal(media.matches)
  media.addEventListener('change', () => {
    matches.value = media.matches
  })
  return matches
}
