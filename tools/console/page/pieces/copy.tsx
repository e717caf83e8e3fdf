import { Action } from './action.tsx'

interface CopyProps {
  /** Made when it is copied. */
  readonly text: () => string
  /** What a screen reader is told that it copies. */
  readonly what: string
}

/** A button that copies a text. */
export function Copy({ text, what }: CopyProps) {
  return (
    <Action run={() => navigator.clipboard.writeText(text())} done={`${what} copied`} label={`Copy ${what}`}>
      Copy
    </Action>
  )
}
