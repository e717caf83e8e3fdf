import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

export interface LineSplitterOptions {
  /** Longest line in characters; a longer one is cut, and says so. Default 8,388,608. */
  readonly maxLength?: number
  /**
   * Rewrites the text of a line, such as {@link visible}; called for each piece as it comes, so that a long line does not block the event
   * loop. Default: as it is.
   */
  readonly show?: (text: string) => string
}

/** Room for the log line of a 1 MiB event, each byte of which may be written as six characters. */
const DEFAULT_MAX_LENGTH = 8 * 1024 * 1024

const CUT = /… \(\d+ more characters\)$/

/** True for a line that says that it was cut. */
export function isCut(line: string): boolean {
  return CUT.test(line)
}

/**
 * Cuts what a process writes into lines, which end with `\n` or `\r\n` and with nothing else: not with the separators U+2028 and
 * U+2029, at which `node:readline` splits, because they stand in JSON as they are. Lines without text are left out. However long a
 * line is, no more than `maxLength` characters of it are kept.
 */
export function createLineSplitter(
  onLine: (line: string) => void,
  { maxLength = DEFAULT_MAX_LENGTH, show = (text) => text }: LineSplitterOptions = {},
) {
  const decoder = new StringDecoder('utf8')
  let kept = ''
  let leftOut = 0
  // A carriage return that may turn out to be part of the line's end.
  let held = ''

  function keep(piece: string): void {
    const text = held + piece
    held = text.endsWith('\r') ? '\r' : ''
    add(held === '' ? text : text.slice(0, -1))
  }

  function add(text: string): void {
    const room = Math.max(0, maxLength - kept.length)
    kept += show(text.slice(0, room))
    leftOut += Math.max(0, text.length - room)
  }

  function finish(): void {
    const line = leftOut > 0 ? `${kept}… (${leftOut} more characters)` : kept
    kept = ''
    leftOut = 0
    held = ''
    if (line.trim() !== '') onLine(line)
  }

  return {
    push(chunk: Buffer): void {
      const text = decoder.write(chunk)
      let from = 0
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        keep(text.slice(from, end))
        finish()
        from = end + 1
      }
      keep(text.slice(from))
    },
    /** Passes on what came after the last line end. */
    end(): void {
      keep(decoder.end())
      finish()
    },
  }
}

/** Reads lines from a stream until it closes or fails; see {@link createLineSplitter}. Never rejects. */
export function readLines(
  stream: Readable,
  onLine: (line: string) => void,
  options?: LineSplitterOptions,
): Promise<void> {
  const lines = createLineSplitter(onLine, options)
  return new Promise((resolve) => {
    stream
      .on('data', (chunk: Buffer) => lines.push(chunk))
      .on('error', () => {
        // `close` follows.
      })
      .once('close', () => {
        lines.end()
        resolve()
      })
  })
}
