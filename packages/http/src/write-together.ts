import { AsyncResource } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers'

/** So many are written at the end of the callback that made them, before the next one runs: an answer waits no longer than that. */
const MOST = 16

/** A connection some of whose writes wait for others. */
export interface Together {
  /**
   * Runs what writes to the connection once, such as the end of an answer or a whole request. The bytes are written at the end of the turn
   * of the event loop, together with those of other connections of this process, sixteen at a time; if the connection is destroyed or the
   * process exits before that, they are written then.
   */
  during<T>(write: () => T): T
  /** Whether bytes wait: the connection is not inactive, though nothing has happened on it. */
  readonly isWaiting: boolean
}

type Written = (error?: Error | null) => void

let waiting: (() => void)[] = []
let isWriting = false

/**
 * A write wakes its reader, which costs the writer more than the copying: readers of a loop that is busy would fall asleep again between two
 * answers, and be woken for each. A loop that is idle writes as soon as its one answer is there.
 */
export function writesTogether(socket: Socket): Together {
  const { _write, _writev, _destroy } = socket
  let waits = false
  /** A stream has one write under way at most. */
  let own: (() => void) | undefined

  function later(write: (done: Written) => void, done: Written): void {
    // Whoever is told that it is written is told in the context of who wrote it.
    const context = new AsyncResource('WriteTogether', { requireManualDestroy: true })
    // Nobody's code runs between the writes, and what it throws is nobody else's.
    const afterAll = (error?: Error | null) => (isWriting ? process.nextTick(done, error) : done(error))
    const once = () => {
      if (own !== once) return
      own = undefined
      context.runInAsyncScope(write, undefined, afterAll)
      context.emitDestroy()
    }
    own = once
    add(once)
  }

  socket._write = (chunk, encoding, done) => {
    if (waits) later((after) => _write.call(socket, chunk, encoding, after), done)
    else _write.call(socket, chunk, encoding, done)
  }
  if (_writev) {
    socket._writev = (chunks, done) => {
      if (waits) later((after) => _writev.call(socket, chunks, after), done)
      else _writev.call(socket, chunks, done)
    }
  }
  socket._destroy = (error, done) => {
    if (own !== undefined) writeEach([own])
    _destroy.call(socket, error, done)
  }
  return {
    during(write) {
      waits = true
      try {
        return write()
      } finally {
        waits = false
      }
    },
    get isWaiting() {
      return own !== undefined
    },
  }
}

process.on('exit', writeAll)

function add(write: () => void): void {
  waiting.push(write)
  if (waiting.length === 1) setImmediate(writeAll)
  else if (waiting.length === MOST) process.nextTick(writeAll)
}

function writeAll(): void {
  const all = waiting
  waiting = []
  writeEach(all)
}

function writeEach(writes: readonly (() => void)[]): void {
  const wasWriting = isWriting
  isWriting = true
  try {
    for (const write of writes) write()
  } finally {
    isWriting = wasWriting
  }
}
