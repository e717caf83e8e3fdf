import { HttpProblem } from '@taproom/service'
import { askControl, type ControlAction, followControl } from '@taproom/start/control'

export type Control = ReturnType<typeof createControl>

type ControlAnswer = Awaited<ReturnType<typeof askControl>>['answer']

/** The running system, as its control socket reports it. What it refuses is a problem with the same status. */
export function createControl(socket: string) {
  async function ask<M extends string>(member: M, target: string, method: 'GET' | 'POST' = 'GET') {
    const { status, answer } = await askControl(socket, method, target)
    // The developer of a service asks here, and needs its reason for not starting.
    if ('error' in answer) {
      throw new HttpProblem(status === 404 || status === 409 ? status : 502, { detail: answer.error })
    }
    if (member in answer) return (answer as Extract<ControlAnswer, Record<M, unknown>>)[member]
    throw new Error('the control socket answered in the form of another version')
  }
  const at = (service: string, what: string) => `/services/${encodeURIComponent(service)}/${what}`
  return {
    system: () => ask('system', '/system'),
    services: () => ask('services', '/services'),
    async act(service: string, action: ControlAction): Promise<void> {
      await ask('service', at(service, action), 'POST')
    },
    configuration: (service: string) => ask('variables', at(service, 'configuration')),
    /** Calls back with each line of an answer that goes on, until it ends or the signal aborts. */
    follow: (target: string, onLine: (line: string) => void, signal: AbortSignal) =>
      followControl(socket, target, { onLine, signal }),
  }
}
