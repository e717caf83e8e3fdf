import type * as Api from '@opentelemetry/api'
import { Tracing } from './spans.ts'

/** Where all copies of OpenTelemetry's API in a process find what was registered; its version is in the name so that they can rely on it. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

interface Global {
  readonly [REGISTERED]?: { readonly trace?: unknown }
}

let loaded: Tracing | undefined
let loading: Promise<void> | undefined

/**
 * Undefined unless somebody has registered an SDK with OpenTelemetry's API in this process: the cost of a span is then that of this look.
 * The API itself is loaded only after that, so the first spans after a registration may be missing: {@link loadTracing} waits for it.
 */
export function tracing(): Tracing | undefined {
  if ((globalThis as Global)[REGISTERED]?.trace === undefined) return undefined
  if (loaded === undefined) void loadTracing()
  return loaded
}

/** Runs the function outside of every span: what goes on longer than the request that happened to begin it belongs to none. */
export function outsideSpans<T>(work: () => T): T {
  const traces = tracing()
  return traces === undefined ? work() : traces.outside(work)
}

/**
 * Runs functions in the span that is active now: for listeners, which Node calls outside of it. Without traces it does nothing but call
 * them.
 */
export function inThisSpan(): <T>(work: () => T) => T {
  return tracing()?.here() ?? directly
}

function directly<T>(work: () => T): T {
  return work()
}

/**
 * Loads OpenTelemetry's API, for whoever registers an SDK and wants every span from then on. `load` gives the copy that the SDK has; default:
 * the one that is found beside this package, a peer.
 */
export function loadTracing(load: () => Promise<typeof Api> = () => import('@opentelemetry/api')): Promise<void> {
  loading ??= load().then(
    (api) => {
      loaded = new Tracing(api)
    },
    () => {
      // Not installed here: whoever registered an SDK has a copy of their own, and gets no spans of ours.
    },
  )
  return loading
}
