import { isJsonObject } from '@taproom/core/limits'
import type { Fault, FaultMode } from '../api/requests.ts'
import { askControl } from './ask-control.ts'

export type StandInFault = Pick<Fault, 'modes' | 'mode' | 'until'>

export const MODES: readonly FaultMode[] = ['none', 'slow', 'failing', 'garbled', 'away']

const PATH = '/control/fault'

/** The fault of a stand-in; undefined for a stand-in without this control. */
export async function readStandIn(port: number): Promise<StandInFault | undefined> {
  const { status, body } = await askControl(port, 'GET', PATH)
  return status === 200 ? read(body) : undefined
}

export async function setStandIn(port: number, wanted: { mode: FaultMode; seconds: number }): Promise<void> {
  const { status } = await askControl(port, 'PUT', PATH, wanted)
  if (status !== 200) throw new Error(`PUT ${PATH} answers ${status}`)
}

/** A stand-in from outside this repository may answer anything. */
function read(body: unknown): StandInFault | undefined {
  if (!isJsonObject(body)) return undefined
  const { mode: name, modes: names, until } = body
  const mode = MODES.find((known) => known === name)
  const modes = MODES.filter((known) => Array.isArray(names) && names.includes(known))
  if (mode === undefined || modes.length === 0) return undefined
  return { mode, modes, ...(typeof until === 'number' && { until }) }
}
