import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pause } from '@taproom/core/time'
import { kubectl } from '../harness/kubectl.ts'

const SINKS = 'serving.knative.dev/service'
/** As the manifests of both sinks name it. */
const SINK_CONTAINER = 'sink'
const AGAIN_MS = 300
const WATCH = ['get', 'pods', '--selector', SINKS, '--watch', '--output-watch-events', '--no-headers']
const COLUMNS =
  'EVENT:.type,POD:.object.metadata.name,PHASE:.object.status.phase,ENDS:.object.metadata.deletionTimestamp'
const NOT_GIVEN = '<none>'

export interface SinkLog extends AsyncDisposable {
  /** Reads once more all that the sinks that run have logged: on a busy node one that is followed may say nothing more. */
  catchUp(): Promise<void>
}

/**
 * Writes what all sinks log to a file until it is disposed of, those that are started meanwhile included; after a disturbance lines come
 * again. A pod that goes is a line of the kind that our own platform has for it, so that one suite reads both.
 */
export function followSinks(file: string): SinkLog {
  const over = new AbortController()
  const log = createWriteStream(file)
  const followed = new Map<string, ChildProcess>()
  const running = new Set<string>()
  let watch: ChildProcess | undefined

  function follow(pod: string): void {
    if (followed.has(pod) || !running.has(pod)) return
    const logs = spawn('kubectl', ['logs', '--follow', pod, '--container', SINK_CONTAINER], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    followed.set(pod, logs)
    // Whole lines: those of other pods come in between.
    createInterface({ input: logs.stdout }).on('line', (line) => log.write(`${line}\n`))
    logs.once('exit', () => {
      followed.delete(pod)
      // The container isn't started yet, or the kubelet, which reads the log, was away.
      if (!over.signal.aborted) setTimeout(() => follow(pod), AGAIN_MS)
    })
  }

  function gone(pod: string): void {
    if (!running.delete(pod)) return
    const revision = revisionOf(pod)
    const instances = [...running].filter((other) => revisionOf(other) === revision).length
    log.write(
      `${JSON.stringify({ time: new Date().toISOString(), msg: 'sink instance stopped', revision, instances })}\n`,
    )
  }

  /** Watches until the API server ends the watch. */
  async function look(): Promise<void> {
    watch = spawn('kubectl', [...WATCH, '--output', `custom-columns=${COLUMNS}`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    if (watch.stdout === null) return
    for await (const line of createInterface({ input: watch.stdout })) {
      const [event, pod = '', phase, ends] = line.trim().split(/\s+/)
      // It serves no more from then on, though Knative lets it drain for most of a minute.
      if (event === 'DELETED' || ends !== NOT_GIVEN) gone(pod)
      else if (phase === 'Running' && !running.has(pod)) {
        running.add(pod)
        follow(pod)
      }
    }
  }

  async function keepLooking(): Promise<void> {
    while (!over.signal.aborted) {
      await look()
      await pause(AGAIN_MS, over.signal)
    }
  }

  const looking = keepLooking()
  return {
    async catchUp() {
      const read = async (pod: string) => {
        // A pod that has ended meanwhile has no more lines.
        const lines = await kubectl(['logs', pod, '--container', SINK_CONTAINER]).catch(() => '')
        log.write(lines)
      }
      await Promise.all([...running].map(read))
      await new Promise((written) => log.write('', written))
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      watch?.kill()
      await looking
      for (const logs of followed.values()) logs.kill()
      log.end()
      await once(log, 'close')
    },
  }
}

/** As Knative names the pods of a revision. */
function revisionOf(pod: string): string {
  return pod.slice(0, pod.lastIndexOf('-deployment-'))
}
