import type { InMemoryLog } from './in-memory-log.ts'
import type { IncomingMessage } from './message.ts'
import { createSlots } from './slots.ts'

/** Reads one topic from a position on, `concurrency` messages at a time. */
export interface InMemoryReader {
  /** Nothing is in flight and nothing is left to read. */
  isIdle(): boolean
  /** Ends reading; resolves when nothing is in flight. */
  stop(): Promise<void>
}

interface InMemoryReaderOptions {
  readonly log: InMemoryLog
  readonly topic: string
  readonly start: number
  readonly concurrency: number
  /** Never rejects. */
  handle(message: IncomingMessage): Promise<void>
  onSettled(): void
}

/** Starts reading. */
export function readInMemory(options: InMemoryReaderOptions): InMemoryReader {
  const { log, topic, handle, onSettled } = options
  const slots = createSlots(options.concurrency)
  let next = options.start
  let isStopped = false

  function dispatch(): void {
    while (!isStopped && log.isAvailable) {
      const message = log.read(topic)[next]
      if (message === undefined || !slots.tryAcquire()) return
      next += 1
      void handle(message).then(() => {
        slots.release()
        dispatch()
        onSettled()
      })
    }
  }

  const unsubscribe = log.subscribe(dispatch)
  dispatch()
  return {
    isIdle: () => slots.inUse === 0 && (isStopped || !log.isAvailable || next >= log.read(topic).length),
    async stop() {
      isStopped = true
      unsubscribe()
      await slots.idle()
    },
  }
}
