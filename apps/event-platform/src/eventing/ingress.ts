import { LIMITS } from '@taproom/core/limits'
import { visible } from '@taproom/core/lines'
import { EventError, readEvent } from '@taproom/events'
import { HttpProblem } from '@taproom/service'
import type { Request, Response } from 'express'
import type { NamespacedName } from '../resources/object.ts'
import type { Brokers } from './brokers.ts'
import { eventAttributes, noteInSpan } from './delivery-spans.ts'
import { EventRefusedError } from './errors.ts'
import type { IngressGuard } from './ingress-guard.ts'
import { passThroughHeaders } from './pass-through-headers.ts'
import { nextHop } from './trace-context.ts'

const ALLOW = 'POST, OPTIONS'

/** The broker that a path or host names. */
export type BrokerReference = NamespacedName | 'root' | 'wrong-depth'

export type Ingress = ReturnType<typeof createIngress>

/** Takes events over HTTP for the broker that a request names. Without a guard everyone may send. */
export function createIngress(brokers: Brokers, guard: IngressGuard | undefined) {
  return async (req: Request, res: Response, broker: BrokerReference): Promise<void> => {
    if (req.method === 'OPTIONS') {
      // CloudEvents webhook validation: any origin, any rate.
      res.set({ Allow: ALLOW, 'WebHook-Allowed-Origin': '*', 'WebHook-Allowed-Rate': '*' }).status(200).end()
      return
    }
    if (req.method !== 'POST') {
      throw new HttpProblem(405, { detail: `a broker takes ${ALLOW}, not ${req.method}`, headers: { Allow: ALLOW } })
    }
    if (broker === 'root') throw new HttpProblem(404, { detail: 'no broker here: use /{namespace}/{broker}' })
    if (broker === 'wrong-depth') {
      const path = visible(req.path, 200)
      throw new HttpProblem(400, { detail: `not the path of a broker: ${path}, expected /{namespace}/{broker}` })
    }
    const sender = guard === undefined ? undefined : await guard.senderOf(req, res, broker)
    if (guard !== undefined && sender === undefined) return
    try {
      brokers.assertTakes(broker, sender)
      // Before reading the body: while Kafka stalls, waiting events must not fill the memory.
      const bytes = headBytes(req)
      const body = Math.min(Number(req.headers['content-length'] ?? 0), LIMITS.structuredEventBytes)
      using held = brokers.budget.hold({ bytes, announced: bytes + body })
      const event = await readEvent(req, { onBytes: held.add, passesOn: true })
      noteInSpan(() => eventAttributes(event))
      await brokers.accept(broker, event, nextHop(passThroughHeaders(req.headers)), sender)
    } catch (error) {
      // The client left before the end of its event.
      if (req.destroyed && !req.complete) return
      throw asProblem(error)
    }
    res.status(202).end()
  }
}

function headBytes({ rawHeaders }: Request): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length, 0)
}

function asProblem(error: unknown): unknown {
  if (error instanceof EventError) {
    const { code, attribute } = error
    return new HttpProblem(error.status, { detail: error.message, members: { code, attribute } })
  }
  if (!(error instanceof EventRefusedError)) return error
  return new HttpProblem(error.status, {
    detail: error.message,
    members: { code: error.code },
    ...(error.status === 503 && { headers: { 'Retry-After': '1' } }),
    cause: error,
  })
}
