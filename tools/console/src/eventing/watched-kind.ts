import { isJsonObject, type JsonObject } from '@taproom/core/limits'
import { createLineSplitter, reasonWithCause } from '@taproom/core/lines'
import { pause } from '@taproom/core/time'
import { readBody } from '@taproom/http'
import { untraced } from '../traces/untraced.ts'

export interface WatchedObject {
  readonly namespace: string
  readonly name: string
  readonly spec: JsonObject
  readonly status: JsonObject
}

const LIST_MS = 5000
const RETRY_MS = 1000
/** An object has at most 256 KiB of JSON, and its managed fields. */
const MAX_LINE = 2 * 1024 * 1024
const MAX_LIST_BYTES = 16 * 1024 * 1024

/** Watches the objects of one kind at the resource API: begins at once, and goes on until it is disposed of. */
export class WatchedKind implements Disposable {
  readonly #url: string
  readonly #changed: () => void
  readonly #stop = new AbortController()
  #objects = new Map<string, WatchedObject>()
  /** Why nothing is known at the moment. */
  #problem: string | undefined = 'it was not asked yet'
  readonly #first = Promise.withResolvers<void>()
  /** Resolves when the first answer came, or failed. */
  readonly first = this.#first.promise

  /** `url` is that of the whole collection. */
  constructor(url: string, changed: () => void) {
    this.#url = url
    this.#changed = changed
    void this.#run()
  }

  get problem(): string | undefined {
    return this.#problem
  }

  get objects(): readonly WatchedObject[] {
    return [...this.#objects.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }

  [Symbol.dispose](): void {
    this.#stop.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        const version = await this.#list(signal)
        this.#become(undefined)
        await this.#follow(version, signal)
      } catch (error) {
        if (!signal.aborted) this.#become(reasonWithCause(error))
      }
      this.#first.resolve()
      await pause(RETRY_MS, signal)
    }
    this.#first.resolve()
  }

  #become(problem: string | undefined): void {
    this.#problem = problem
    this.#first.resolve()
    this.#changed()
  }

  async #list(signal: AbortSignal): Promise<string> {
    const response = await fetch(this.#url, {
      headers: untraced(),
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]),
    })
    const bytes = await readBody(response.body, MAX_LIST_BYTES)
    if (!response.ok) throw new Error(`${this.#url} answers ${response.status}`)
    if (bytes === undefined) throw new Error(`${this.#url} answers more than ${MAX_LIST_BYTES} bytes`)
    const list: unknown = JSON.parse(bytes.toString())
    if (!isJsonObject(list) || !Array.isArray(list['items'])) throw new Error(`${this.#url} did not answer with a list`)
    const objects = list['items'].map(read).filter((each) => each !== undefined)
    this.#objects = new Map(objects.map((each) => [keyOf(each), each]))
    return String(object(list['metadata'])['resourceVersion'] ?? '')
  }

  /** Until the watch ends, as it does after a while. */
  async #follow(version: string, signal: AbortSignal): Promise<void> {
    const query = new URLSearchParams({ watch: 'true', resourceVersion: version })
    const response = await fetch(`${this.#url}?${query}`, { headers: untraced(), signal })
    if (!response.ok || response.body === null) throw new Error(`${this.#url} answers ${response.status} to a watch`)
    const lines = createLineSplitter((line) => this.#take(line), { maxLength: MAX_LINE })
    for await (const chunk of response.body) lines.push(Buffer.from(chunk))
  }

  #take(line: string): void {
    const event: unknown = JSON.parse(line)
    if (!isJsonObject(event) || event['type'] === 'BOOKMARK') return
    const found = read(event['object'])
    if (event['type'] === 'ERROR' || found === undefined) throw new Error(`the watch of ${this.#url} ended`)
    if (event['type'] === 'DELETED') this.#objects.delete(keyOf(found))
    else this.#objects.set(keyOf(found), found)
    this.#changed()
  }
}

function read(value: unknown): WatchedObject | undefined {
  const { metadata, spec, status } = object(value)
  const { namespace = '', name } = object(metadata)
  if (typeof name !== 'string' || typeof namespace !== 'string') return undefined
  return { namespace, name, spec: object(spec), status: object(status) }
}

/** An object, or an empty one in place of anything else. */
export function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function keyOf({ namespace, name }: Pick<WatchedObject, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`
}
