import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { podsOf } from './kubectl.ts'

const SINKS = 'serving.knative.dev/service'
/** As the manifests of both sinks name it. */
const SINK_CONTAINER = 'sink'
const LOOK_MS = 300

/**
 * Writes what all sinks log to a file until it is disposed of, those that are started meanwhile included. A pod that went is a line of the
 * kind that event-platform has for it, so that one suite reads both.
 */
export function followSinks(file: string): AsyncDisposable {
  const over = new AbortController()
  const log = createWriteStream(file)
  const followed = new Map<string, ChildProcess>()

  function follow(pod: string): void {
    const logs = spawn('kubectl', ['logs', '--follow', pod, '--container', SINK_CONTAINER], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    followed.set(pod, logs)
    logs.stdout.on('data', (lines: Buffer) => log.write(lines))
    logs.once('exit', (code) => {
      // Not started yet: the next look finds it again.
      if (code !== 0) followed.delete(pod)
    })
  }

  async function look(before: readonly string[]): Promise<readonly string[]> {
    const pods = await podsOf('default', SINKS).catch(() => before)
    for (const pod of pods) if (!followed.has(pod)) follow(pod)
    const time = new Date().toISOString()
    for (const pod of before) {
      if (pods.includes(pod)) continue
      log.write(`${JSON.stringify({ time, msg: 'sink instance stopped', revision: pod.split('-deployment')[0] })}\n`)
    }
    return pods
  }

  async function keepLooking(): Promise<void> {
    let pods: readonly string[] = []
    while (!over.signal.aborted) {
      pods = await look(pods)
      await delay(LOOK_MS, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }

  const looking = keepLooking()
  return {
    async [Symbol.asyncDispose]() {
      over.abort()
      await looking
      for (const logs of followed.values()) logs.kill()
      log.end()
      await once(log, 'close')
    },
  }
}
