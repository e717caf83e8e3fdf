import { Action } from './action.tsx'

interface CopyProps {
  /** Makes the text, when it is copied. */
  readonly text: () => string
  /** The text in a few words: `id of the trace`. */
  readonly what: string
  readonly children?: string
}

/** A button that copies a text. */
export function Copy({ text, what, children = 'Copy' }: CopyProps) {
  return (
    <Action run={() => navigator.clipboard.writeText(text())} done={`${what} copied`} label={`Copy ${what}`}>
      {children}
    </Action>
  )
}
