import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { sendProblem } from '@taproom/http'
import { type HttpServer, type ListenOptions, listen } from '@taproom/service'
import { HeldRequests, type HeldRequestsOptions } from './held-requests.ts'

export interface EntranceOptions extends Pick<HeldRequestsOptions, 'maxHeld' | 'holdMs'> {
  /** Aborted when the system is to stop: no request waits any longer. */
  readonly stop: AbortSignal
}

/** How long a restart waits for answers to requests that came before, in ms. */
const ANSWERED_MS = 1000
/** How long answers may take to reach their clients once all services have stopped, in ms. */
const DRAIN_MS = 300

/** The gateway's port. It stays open while the system is started again: requests wait until the next gateway is ready. */
export class Entrance implements AsyncDisposable {
  readonly #stop: AbortSignal
  readonly #held: HeldRequests
  #server: HttpServer | undefined
  #handle: RequestListener | undefined
  #restart: PromiseWithResolvers<void> | undefined

  constructor({ stop, ...options }: EntranceOptions) {
    this.#stop = stop
    this.#held = new HeldRequests({ ...options, restartOf: () => this.#restart?.promise })
    stop.addEventListener('abort', () => this.release(), { once: true })
  }

  get isOpen(): boolean {
    return this.#server !== undefined
  }

  /**
   * Opens the port unless it is open.
   *
   * @throws {ListenError} when it cannot listen
   */
  async open(options: Omit<ListenOptions, 'drainMs'>): Promise<Pick<HttpServer, 'port'>> {
    const handle = (request: IncomingMessage, response: ServerResponse) => this.#take(request, response)
    this.#server ??= await listen(handle, { ...options, drainMs: DRAIN_MS })
    return this.#server
  }

  /** Passes requests to a gateway until the result is disposed of, which waits a moment for answers under way. */
  leadTo(handle: RequestListener): AsyncDisposable {
    this.#handle = handle
    return {
      [Symbol.asyncDispose]: async () => {
        if (this.#stop.aborted) await this[Symbol.asyncDispose]()
        else await this.#held.answered('system', { isEnough: (response) => response.destroyed, limitMs: DRAIN_MS })
        this.#handle = undefined
      },
    }
  }

  /** Lets requests wait until {@link Entrance.release}. Resolves when the answers to earlier ones have begun, at the latest after 1 s. */
  async hold(): Promise<void> {
    if (this.#stop.aborted) return
    this.#restart ??= Promise.withResolvers()
    await this.#held.answered('system', { limitMs: ANSWERED_MS })
  }

  /** Passes on the requests that wait. */
  release(): void {
    const restart = this.#restart
    this.#restart = undefined
    restart?.resolve()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release()
    await this.#server?.[Symbol.asyncDispose]()
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#restart === undefined) {
      this.#pass(request, response)
    } else {
      const pass = () => this.#pass(request, response)
      this.#held.pass('system', response).then(pass, pass)
    }
  }

  /** Passes a request on, unless it has waited too long, or too many wait. */
  #pass(request: IncomingMessage, response: ServerResponse): void {
    if (response.destroyed) return
    if (this.#restart !== undefined || this.#handle === undefined) {
      request.resume()
      sendProblem(response, { status: 503, detail: 'the system is starting', headers: { 'Retry-After': '1' } })
      return
    }
    response.once('close', this.#held.sent('system', response))
    this.#handle(request, response)
  }
}
