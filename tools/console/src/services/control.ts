import { HttpProblem } from '@taproom/service'
import {
  askControl,
  type ConfiguredVariable,
  type ControlAction,
  type ControlAnswer,
  followControl,
  type ShownStatus,
  type SystemFacts,
} from '@taproom/start/control'

/** The running system, as its control socket tells of it. What it refuses is a problem with the same status. */
export interface Control {
  system(): Promise<SystemFacts>
  services(): Promise<readonly ShownStatus[]>
  act(service: string, action: ControlAction): Promise<void>
  configuration(service: string): Promise<readonly ConfiguredVariable[]>
  /** Calls back with each line of an answer that goes on, until it ends or the signal aborts. */
  follow(target: string, onLine: (line: string) => void, signal: AbortSignal): Promise<void>
}

/** @param socket path of the control socket */
export function createControl(socket: string): Control {
  async function ask<M extends string>(member: M, target: string, method: 'GET' | 'POST' = 'GET') {
    const { status, answer } = await askControl(socket, method, target)
    // What a service says when it cannot be started is for its developer, who asks here.
    if ('error' in answer) {
      throw new HttpProblem(status === 404 || status === 409 ? status : 502, { detail: answer.error })
    }
    if (member in answer) return (answer as Extract<ControlAnswer, Record<M, unknown>>)[member]
    throw new Error('the control socket answers as none of this version does')
  }
  const at = (service: string, what: string) => `/services/${encodeURIComponent(service)}/${what}`
  return {
    system: () => ask('system', '/system'),
    services: () => ask('services', '/services'),
    async act(service, action) {
      await ask('service', at(service, action), 'POST')
    },
    configuration: (service) => ask('variables', at(service, 'configuration')),
    follow: (target, onLine, signal) => followControl(socket, target, { onLine, signal }),
  }
}
