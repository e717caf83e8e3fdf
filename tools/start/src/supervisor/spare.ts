import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { GateOrder, GatePrepared, KeptSources } from './gate.ts'
import { packagesOf } from './imports.ts'
import type { Launch } from './launch.ts'

/** A process to wait for the next change of its service. */
export interface SpareWish {
  /** Starts it, held. */
  launch(): Launch
  /** Main module of its program. */
  readonly main: string
  /** Sources of its program, as it runs now. */
  readonly sources: KeptSources
}

interface Waiting {
  readonly launch: Launch
  /** Begin of the URLs of the service's own sources. */
  readonly own: string
  readonly sources: KeptSources
  readonly prepared: Promise<GatePrepared>
  readonly packagesMs: number
}

/**
 * A process that waits for the next change of the service that was replaced last. Node and the packages of the service are loaded, which is
 * most of a start. One for the whole system, as it takes the memory of a service.
 */
export class Spare implements Disposable {
  readonly #packages: string
  #waiting: Waiting | undefined
  #wish: SpareWish | undefined
  #replacing = 0

  /** `root` has the `node_modules` of the system. */
  constructor(root: string) {
    this.#packages = join(root, 'node_modules')
  }

  /** A service is replaced until the returned object is disposed of. */
  replacing(): Disposable {
    this.#replacing += 1
    return {
      [Symbol.dispose]: () => {
        this.#replacing -= 1
        // Lets a service that is queued for a restart start first: one spare process is started per batch.
        setImmediate(() => this.#keepWished())
      },
    }
  }

  /** Keeps a process in place of the one before it, once no service is replaced: then the last wish counts. */
  keep(wish: SpareWish): void {
    this.#wish = wish
  }

  #keepWished(): void {
    if (this.#replacing > 0 || this.#wish === undefined) return
    const { main, sources, ...wish } = this.#wish
    this[Symbol.dispose]()
    const launch = wish.launch()
    const own = `${pathToFileURL(dirname(main)).href}/`
    const texts = Object.entries(sources).flatMap(([url, text]) => (url.startsWith(own) ? [text] : []))
    const prepared = launch.prepare({ sources, packages: packagesOf(texts) })
    // Without a spare process, `replace` starts a new one.
    prepared.catch(() => {})
    this.#waiting = { launch, own, sources, prepared, packagesMs: this.#packagesMs() }
  }

  /** Has the process of a service load its new sources. Undefined when there is none, or none that can be used: it is ended then. */
  async load(service: string, order: GateOrder): Promise<Launch | undefined> {
    if (this.#waiting?.launch.name !== service) return undefined
    const waiting = this.#waiting
    this.#waiting = undefined
    const { launch } = waiting
    try {
      if (await this.#fits(waiting, order.sources)) {
        await launch.load(order)
        return launch
      }
    } catch {
      // The reason is that of the process which is started in its place.
    }
    void launch.child.kill()
    return undefined
  }

  [Symbol.dispose](): void {
    void this.#waiting?.launch.child.kill()
    this.#waiting = undefined
    this.#wish = undefined
  }

  /** False when it may have loaded, or read while it loaded packages, other sources than these. */
  async #fits({ own, sources, prepared, packagesMs }: Waiting, next: KeptSources): Promise<boolean> {
    const { loaded } = await prepared
    const isSame = (url: string) => (url.startsWith(own) && !loaded.includes(url)) || sources[url] === next[url]
    return packagesMs === this.#packagesMs() && Object.keys({ ...sources, ...next }).every(isSame)
  }

  /** When packages were last installed: package managers write into the folder itself then. */
  #packagesMs(): number {
    return statSync(this.#packages, { throwIfNoEntry: false })?.mtimeMs ?? 0
  }
}
