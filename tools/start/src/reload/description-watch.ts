import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FolderWatch } from './folder-watch.ts'

export interface DescriptionWatchOptions {
  readonly file: string
  /** Called when its contents have changed. */
  onChange(): void
  onProblem(reason: string): void
  /** Aborted when it is not to be watched any more. */
  readonly signal: AbortSignal
  /** After a change no other must come for this long. Default 60 ms, as for sources. */
  readonly quietMs?: number
}

/** Watches one file by its contents. Resolves when each later change is noticed. */
export async function watchDescription(options: DescriptionWatchOptions): Promise<void> {
  const { file, onChange, onProblem, signal, quietMs = 60 } = options
  let text: string | undefined
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    const now = await readFile(file, 'utf8').catch(() => undefined)
    // Missing for a moment: another one is about to take its place.
    if (now === undefined || now === text || signal.aborted) return
    text = now
    onChange()
  }
  const watch = new FolderWatch({
    onChange(path) {
      if (path !== file || signal.aborted) return
      clearTimeout(timer)
      timer = setTimeout(() => void look(), quietMs)
    },
    onProblem,
  })
  const close = () => {
    clearTimeout(timer)
    watch[Symbol.dispose]()
  }
  signal.addEventListener('abort', close, { once: true })
  watch.set(new Set([dirname(file)]))
  if (signal.aborted) close()
  text = await readFile(file, 'utf8').catch(() => undefined)
}
