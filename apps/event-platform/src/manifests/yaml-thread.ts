import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { PlatformError } from '../errors.ts'
import type { ParsedManifest } from './parse-manifests.ts'

/** A request to the thread: a file of manifests, or one document as JSON of at most `mostBytes`. */
export type YamlQuestion =
  | { readonly file: string; readonly text: string }
  | { readonly text: string; readonly mostBytes: number }

export type YamlAnswer = { readonly json: string } | { readonly problem: string }

/** A text took too long, or too much memory. */
export class YamlBoundsError extends PlatformError {
  readonly code = 'YAML_BEYOND_LIMITS'
}

export type YamlThread = ReturnType<typeof createYamlThread>

const TIMEOUT_MS = 30_000
const HEAP_MB = 128
/** The thread ends after this long without work. */
const IDLE_MS = 10_000

const WORKER = import.meta.url.replace(/yaml-thread(?=\.\w+$)/, 'yaml-worker')
/** Development runs the sources. */
const EXEC_ARGV = WORKER.endsWith('.ts') ? ['--conditions=development'] : []

/**
 * Reads YAML in a thread: hostile text can take the parser seconds and much memory, so each is bounded (30 s, 128 MiB). One text at a time,
 * so all together use one processor at most.
 *
 * @throws {YamlBoundsError} from its functions, when a text takes too long or too much memory
 */
export function createYamlThread() {
  let last: Promise<unknown> = Promise.resolve()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(fileURLToPath(WORKER), {
      env: {},
      execArgv: EXEC_ARGV,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    started.on('error', end)
    started.unref()
    thread = started
    return started
  }

  function end(): void {
    clearTimeout(idle)
    void thread?.terminate()
    thread = undefined
  }

  async function read(question: YamlQuestion): Promise<unknown> {
    clearTimeout(idle)
    const reader = thread ?? start()
    try {
      const answered = once(reader, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })
      reader.postMessage(question)
      const [answer] = await answered
      idle = setTimeout(end, IDLE_MS).unref()
      return answer
    } catch (cause) {
      end()
      throw new YamlBoundsError(`is YAML that takes more than ${TIMEOUT_MS} ms or ${HEAP_MB} MiB to read`, { cause })
    }
  }

  function ask(question: YamlQuestion): Promise<unknown> {
    const answer = last.then(() => read(question))
    // The caller gets the error; the next text is still read.
    last = answer.catch(() => {})
    return answer
  }

  return {
    manifests: async (file: string, text: string) => (await ask({ file, text })) as ParsedManifest,
    json: async (text: string, mostBytes: number) => (await ask({ text, mostBytes })) as YamlAnswer,
  }
}
