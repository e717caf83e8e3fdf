import type { ComponentChildren } from 'preact'
import { indented } from './indented.ts'

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const MOST_COLOURED = 20_000

/** A text; indented and coloured a little when it is JSON that says the same then. Always as text. */
export function MaybeJson({ text }: { text: string }) {
  const shown = indented(text)
  return <Source>{shown === undefined ? text : sourceOf(shown)}</Source>
}

function Source({ children }: { children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, and must be reachable by keyboard
    <pre class="source" tabIndex={0}>
      {children}
    </pre>
  )
}

function sourceOf(text: string) {
  return text.length > MOST_COLOURED ? text : coloured(text)
}

function coloured(text: string) {
  const parts = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [all, string, colon] = match
    parts.push(text.slice(end, match.index))
    const kind = colon !== undefined ? 'name' : string !== undefined ? 'string' : 'value'
    parts.push(<span class={`j-${kind}`}>{all}</span>)
    end = match.index + all.length
  }
  parts.push(text.slice(end))
  return parts
}
