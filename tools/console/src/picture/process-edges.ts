import type { PictureEdge } from '../api/system.ts'
import { WINDOW_SECONDS } from './edge-rates.ts'
import { type PictureService, type PictureSystem, processId } from './places.ts'

const RUNNING: readonly string[] = ['ready', 'not ready']
/** Nodes that are what Kafka keeps. */
const KEPT_BY_KAFKA = /^(?:topic|broker)\//

/** True for a process that crashed within the window of rates: the picture shows recent crashes, too. */
export function crashedLately({ crashedAt }: Pick<PictureService, 'crashedAt'>): boolean {
  return crashedAt !== undefined && Date.now() - crashedAt < WINDOW_SECONDS * 1000
}

/** How edges are, by what went along them and by the processes at their ends. */
export function edgeStates(
  services: readonly PictureService[],
  system: PictureSystem,
): (edge: Omit<PictureEdge, 'state'>) => PictureEdge['state'] {
  const processes = new Map(services.map((service) => [processId(service, system), service]))
  const kafka = [...processes].find(([id]) => id.startsWith('kafka/'))?.[1]
  return ({ from, to, errorRate }) => {
    const ends = [from, to].flatMap((id) => (KEPT_BY_KAFKA.test(id) ? kafka : processes.get(id)) ?? [])
    if (ends.some(({ state }) => !RUNNING.includes(state))) return 'cut'
    return errorRate > 0 || ends.some(crashedLately) ? 'failing' : 'open'
  }
}
