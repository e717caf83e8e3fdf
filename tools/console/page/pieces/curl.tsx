import { Copy } from './copy.tsx'

/** The same as a line for a shell, with a button that copies it. */
export function Curl({ line }: { line: string }) {
  return (
    <div class="curl">
      <pre class="source">{line}</pre>
      <Copy text={() => line} what="the curl command" />
    </div>
  )
}
