import { reasonWithCause } from '@taproom/core/lines'
import { sendJson } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import type { ShownStatus } from '@taproom/start/control'
import type { Fault, FaultMode } from '../api/requests.ts'
import type { ServiceView } from '../api/services.ts'
import { readJson } from '../http/body.ts'
import { type Field, oneOf, optional, readFields } from '../http/fields.ts'
import type { Routes } from '../http/route.ts'
import { readAway, setAway } from './kafka-fault.ts'
import { MODES, readStandIn, setStandIn } from './stand-in-fault.ts'

/** A process that stands in for something real; the embedded Kafka has a control port. */
export type StandInProcess = Pick<ServiceView, 'name' | 'port'> & Pick<ShownStatus, 'controlPort'>

const MAX_BODY_BYTES = 4096
const DEFAULT_SECONDS = 60
/** A fault that is forgotten ends by itself. */
const MAX_SECONDS = 600

const SECONDS: Field<number> = {
  expected: `a number of seconds up to ${MAX_SECONDS}`,
  read: (value) => (typeof value === 'number' && value > 0 && value <= MAX_SECONDS ? value : undefined),
}

/** `standIns` are those that run here: what is real has no faults. */
export function faultRoutes({ standIns }: { standIns(): Promise<readonly StandInProcess[]> }): Routes {
  const all = async () => {
    const faults = await Promise.all((await standIns()).map((process) => faultOf(process)))
    return faults.filter((fault) => fault !== undefined)
  }
  return {
    async 'GET /api/faults'({ response }) {
      sendJson(response, 200, { items: await all() })
    },
    async 'PUT /api/faults/{target}'(asked) {
      const { mode, seconds = DEFAULT_SECONDS } = readFields(await readJson(asked, MAX_BODY_BYTES), {
        mode: oneOf(MODES),
        seconds: optional(SECONDS),
      })
      const target = asked.params['target'] ?? ''
      const process = (await standIns()).find(({ name }) => name === target)
      const fault = process && (await faultOf(process))
      if (process === undefined || fault === undefined) throw unknown(target, await all())
      if (!fault.modes.includes(mode)) {
        throw new HttpProblem(400, {
          detail: `mode is "${mode}": expected one of ${fault.modes.join(', ')} for ${target}`,
        })
      }
      await setFault(process, mode, seconds)
      sendJson(asked.response, 200, (await faultOf(process)) ?? fault)
    },
  }
}

/** Undefined for a process that takes no faults, or does not run. */
async function faultOf({ name: target, port, controlPort }: StandInProcess): Promise<Fault | undefined> {
  try {
    if (controlPort !== undefined) {
      const until = await readAway(controlPort)
      const away = until === undefined ? { mode: 'none' as const } : { mode: 'away' as const, until }
      return { target, kind: 'kafka', modes: ['none', 'away'], ...away }
    }
    const fault = port === undefined ? undefined : await readStandIn(port)
    return fault && { target, kind: 'stand-in', ...fault }
  } catch {
    // The process ends, or does not speak HTTP: it takes no faults.
    return undefined
  }
}

async function setFault({ name, port, controlPort }: StandInProcess, mode: FaultMode, seconds: number): Promise<void> {
  try {
    if (controlPort !== undefined) await setAway(controlPort, mode === 'away' ? seconds : 0)
    else if (port !== undefined) await setStandIn(port, { mode, seconds })
  } catch (cause) {
    throw new HttpProblem(503, { detail: `${name} did not take the fault: ${reasonWithCause(cause)}`, cause })
  }
}

function unknown(target: string, faults: readonly Fault[]): HttpProblem {
  const known = faults.map((fault) => fault.target).join(', ')
  const expected = known === '' ? 'no stand-in and no embedded Kafka runs' : `expected one of ${known}`
  return new HttpProblem(404, { detail: `no fault can be injected into ${JSON.stringify(target)}: ${expected}` })
}
