/** Measures what the event loop of this process does. */
export interface Meter {
  /** The greatest cost since the last question. */
  read(): Promise<number>
}

const TURN_MS = 2

/** Measures in milliseconds the CPU time of the main thread between two turns, so that other work on the machine does not count. */
export function blockMeter(): Meter {
  let longestMs = 0
  let before = { at: performance.now(), cpu: process.threadCpuUsage() }
  const turn = () => {
    const at = performance.now()
    const { user, system } = process.threadCpuUsage(before.cpu)
    longestMs = Math.max(longestMs, Math.min(at - before.at - TURN_MS, (user + system) / 1000))
    before = { at, cpu: process.threadCpuUsage() }
  }
  setInterval(turn, TURN_MS).unref()
  return {
    async read() {
      turn()
      const read = longestMs
      longestMs = 0
      return read
    },
  }
}

/** Counts the steps that V8 makes from one question to the next. */
export async function stepMeter(): Promise<Meter> {
  const { startStepCounter } = await import('@taproom/testkit/step-counter')
  const counter = await startStepCounter()
  let asked = Promise.withResolvers<void>()
  let counted = counter.count(() => asked.promise)
  return {
    async read() {
      asked.resolve()
      const read = await counted
      asked = Promise.withResolvers<void>()
      counted = counter.count(() => asked.promise)
      return read
    },
  }
}
