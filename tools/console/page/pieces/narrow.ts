import { signal } from '@preact/signals'

const media = matchMedia('(max-width: 760px)')
const isNarrow = signal(media.matches)
media.addEventListener('change', () => {
  isNarrow.value = media.matches
})

/** Whether there is little room, as the style sheet has it. */
export function useIsNarrow(): boolean {
  return isNarrow.value
}
