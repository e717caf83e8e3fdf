import { AsyncResource } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers'

/** So many are written at the end of the callback that made them, before the next one runs: an answer waits no longer than that. */
const MOST = 16

type Written = (error?: Error | null) => void

let waiting: (() => void)[] = []
let isWriting = false

/**
 * Makes a connection write at the end of a turn of the event loop what was written to it in that turn, together with the other connections
 * of this process, sixteen at a time. A write wakes its reader, which costs the writer more than the copying: readers of a loop that is busy
 * would fall asleep again between two answers, and be woken for each. A loop that is idle writes as soon as its one answer is there.
 *
 * Nothing is lost when the connection is destroyed or the process exits in between, or is inactive for its timeout just then.
 */
export function writeTogether<T extends Socket>(socket: T): T {
  const { _write, _writev, _destroy } = socket
  /** A stream has one write under way at most. */
  let own: (() => void) | undefined
  let isGoingOn = false

  function later(write: (done: Written) => void, done: Written): void {
    // What has gathered behind a write that waited does not wait again.
    if (isGoingOn) {
      write(done)
      return
    }
    // Whoever is told that it is written is told in the context of who wrote it.
    const context = new AsyncResource('WriteTogether', { requireManualDestroy: true })
    const once = () => {
      if (own !== once) return
      own = undefined
      context.runInAsyncScope(write, undefined, afterAll)
    }
    // Nobody's code runs between the writes, and what it throws is nobody else's.
    const afterAll = (error?: Error | null) => (isWriting ? process.nextTick(goOn, error) : goOn(error))
    const goOn = (error?: Error | null) => {
      isGoingOn = true
      try {
        done(error)
      } finally {
        isGoingOn = false
      }
    }
    own = once
    // As writing does. The loop may have been busy for so long that the timeout comes in this very turn.
    if (socket.timeout) socket.setTimeout(socket.timeout)
    add(once)
  }

  socket._write = (chunk, encoding, done) => later((after) => _write.call(socket, chunk, encoding, after), done)
  if (_writev) socket._writev = (chunks, done) => later((after) => _writev.call(socket, chunks, after), done)
  socket._destroy = (error, done) => {
    if (own !== undefined) writeEach([own])
    _destroy.call(socket, error, done)
  }
  return socket
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
  isWriting = true
  try {
    for (const write of writes) write()
  } finally {
    isWriting = false
  }
}
