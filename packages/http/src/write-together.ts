import type { Socket } from 'node:net'

/** Most writes that wait for others: a reader waits no longer than the work between so many. */
const MOST = 16

const waiting: (() => void)[] = []
let isWriting = false

/**
 * Makes a connection write at the end of a turn of the event loop what was written to it in that turn, together with the other connections
 * of this process, sixteen at a time. A write wakes its reader, which costs the writer more than the copying: readers of a loop that is busy
 * would fall asleep again between two answers, and be woken for each. A loop that is idle writes as soon as its one answer is there.
 */
export function writeTogether<T extends Socket>(socket: T): T {
  const { _write, _writev } = socket
  socket._write = (chunk, encoding, callback) => add(() => _write.call(socket, chunk, encoding, callback))
  if (_writev) socket._writev = (chunks, callback) => add(() => _writev.call(socket, chunks, callback))
  return socket
}

function add(write: () => void): void {
  // What a finished write lets go on belongs to it.
  if (isWriting) {
    write()
    return
  }
  if (waiting.push(write) === 1) setImmediate(writeAll)
  else if (waiting.length === MOST) writeAll()
}

function writeAll(): void {
  isWriting = true
  try {
    for (const write of waiting) write()
  } finally {
    waiting.length = 0
    isWriting = false
  }
}
