import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** The title of the tab begins with the subject of the view; undefined where the address names it. */
export const subject = signal<string | undefined>(undefined)

/** Names the subject of the view while the view is there. */
export function useSubject(name: string | undefined): void {
  useEffect(() => {
    subject.value = name
    return () => {
      subject.value = undefined
    }
  }, [name])
}
