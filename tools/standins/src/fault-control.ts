import type { IncomingMessage } from 'node:http'
import { isJsonObject, parseJson } from '@taproom/core/limits'
import { pause } from '@taproom/core/time'
import { createWebGuard, PROBLEM_TYPE, takeBody } from '@taproom/http'
import type { StandinAnswer } from './standin-answer.ts'

export const FAULT_MODES = ['none', 'slow', 'failing', 'garbled'] as const
/** `slow`: answers take 3 s; `failing`: 503; `garbled`: 200 with JSON that is cut off. */
export type FaultMode = (typeof FAULT_MODES)[number]

export const CONTROL_PATH = '/control/fault'
const SLOW_MS = 3000
const GARBLED = '{"title": "The First K'
const MAX_BODY_BYTES = 1024
const DRAIN_BYTES = 1024 * 1024
/** A fault ends by itself after that. */
const MAX_SECONDS = 600
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/
const pages = createWebGuard({ addresses: 'own' })

/** What goes wrong with a stand-in because somebody wants it, and the HTTP API to say so. */
export class FaultControl {
  #mode: FaultMode = 'none'
  #until = 0

  get mode(): FaultMode {
    return Date.now() < this.#until ? this.#mode : 'none'
  }

  /** The answer as it goes wrong now; undefined when the caller left meanwhile. */
  async spoil(answer: StandinAnswer, signal: AbortSignal): Promise<StandinAnswer | undefined> {
    const mode = this.mode
    if (mode === 'failing') return problem(503, 'this stand-in fails because somebody wants it to')
    if (mode === 'garbled') return { status: 200, text: GARBLED }
    if (mode === 'slow') await pause(SLOW_MS, signal)
    return signal.aborted ? undefined : answer
  }

  /** Answers a request for {@link CONTROL_PATH}; only programs of this machine get anything, no web pages. */
  async answer(request: IncomingMessage): Promise<StandinAnswer> {
    const { socket, method = '' } = request
    if (!LOOPBACK.test(socket.remoteAddress ?? '')) return problem(403, 'only programs of this machine control faults')
    const refusal = pages.refusal(request)
    if (refusal !== undefined) {
      return { ...problem(refusal.status, refusal.detail), headers: { 'Content-Type': PROBLEM_TYPE } }
    }
    if (method !== 'GET' && method !== 'HEAD' && method !== 'PUT') {
      return { ...problem(405, `${method} is not allowed here`), headers: { Allow: 'GET, HEAD, PUT' } }
    }
    if (method === 'PUT') {
      const wrong = this.#set(await bodyOf(request))
      if (wrong !== undefined) return problem(400, wrong)
    }
    const mode = this.mode
    return { status: 200, json: { mode, modes: FAULT_MODES, ...(mode !== 'none' && { until: this.#until }) } }
  }

  /** Gives what is wrong with it. */
  #set(wanted: unknown): string | undefined {
    if (!isJsonObject(wanted)) return `expected an object with a mode: ${FAULT_MODES.join(', ')}`
    const { mode: name, seconds = MAX_SECONDS, ...others } = wanted
    const mode = FAULT_MODES.find((known) => known === name)
    if (mode === undefined) return `mode is ${JSON.stringify(name)}: expected one of ${FAULT_MODES.join(', ')}`
    if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= MAX_SECONDS)) {
      return `seconds is ${JSON.stringify(seconds)}: expected a number up to ${MAX_SECONDS}`
    }
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) return `${JSON.stringify(unknown)} is not known here: expected mode and seconds`
    this.#mode = mode
    this.#until = Date.now() + seconds * 1000
    return undefined
  }
}

function problem(status: number, detail: string): StandinAnswer {
  return { status, json: { status, detail } }
}

/** Undefined when it is too long or no JSON. */
function bodyOf(request: IncomingMessage): Promise<unknown> {
  return new Promise((resolve, reject) => {
    takeBody(request, {
      limitBytes: MAX_BODY_BYTES,
      drainBytes: DRAIN_BYTES,
      onBody: (body) => resolve(parsed(body.toString())),
      onTooLarge: () => resolve(undefined),
      onError: reject,
    })
  })
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
