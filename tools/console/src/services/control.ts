import { HttpProblem } from '@taproom/service'
import {
  askControl,
  type ConfiguredVariable,
  type ControlAction,
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
  async function ask(method: 'GET' | 'POST', target: string) {
    const { status, answer } = await askControl(socket, method, target)
    if (!('error' in answer)) return answer
    // What a service says when it cannot be started is for its developer, who asks here.
    throw new HttpProblem(status === 404 || status === 409 ? status : 502, { detail: answer.error })
  }
  const at = (service: string, what: string) => `/services/${encodeURIComponent(service)}/${what}`
  return {
    async system() {
      const answer = await ask('GET', '/system')
      if ('system' in answer) return answer.system
      throw unexpected()
    },
    async services() {
      const answer = await ask('GET', '/services')
      if ('services' in answer) return answer.services
      throw unexpected()
    },
    async act(service, action) {
      await ask('POST', at(service, action))
    },
    async configuration(service) {
      const answer = await ask('GET', at(service, 'configuration'))
      if ('variables' in answer) return answer.variables
      throw unexpected()
    },
    follow: (target, onLine, signal) => followControl(socket, target, { onLine, signal }),
  }
}

function unexpected(): Error {
  return new Error('the control socket answers as none of this version does')
}
