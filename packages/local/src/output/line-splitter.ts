import { StringDecoder } from 'node:string_decoder'

/** Bytes without a line end that are held back at most; beyond, they are passed on as a line. */
const maxPending = 1_048_576

/** Cuts a stream of bytes into lines; `end` passes on what came after the last line end. */
export function createLineSplitter(onLine: (line: string) => void): { push(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8')
  let pending = ''
  const flush = () => {
    if (pending !== '') onLine(pending)
    pending = ''
  }
  return {
    push(chunk) {
      const lines = (pending + decoder.write(chunk)).split('\n')
      pending = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '') onLine(line.trimEnd())
      if (pending.length > maxPending) flush()
    },
    end() {
      pending += decoder.end()
      flush()
    },
  }
}
