import { reasonOf, rootCause } from '@taproom/core/lines'
import { MANAGEMENT_PATHS } from '@taproom/http'
import { platformOf } from '@taproom/system'
import { ask } from './ask.ts'
import { type Check, LeftOut } from './check.ts'
import { eventChecks } from './event-checks.ts'
import { descriptionCheck, healthChecks, metricsCheck, nothingCheck } from './management-checks.ts'
import { operationChecks } from './operation-checks.ts'
import type { Target } from './target.ts'

/** Everything that a system promises by being made of these packages, as far as it can be seen. */
export async function contractChecks(target: Target): Promise<readonly Check[]> {
  const { system } = target
  const all = Object.values(system.apps).flatMap(({ serves = [] }) => serves)
  const open = all.filter((path) => path.endsWith('/*')).map((path) => path.slice(0, -1))
  // What is below some paths is an app's own business.
  const isClosed = (path: string) => !path.endsWith('/*') && !open.some((above) => `${path}/`.startsWith(above))
  const served = Object.entries(system.apps).flatMap(([name, { serves = [] }]) =>
    serves.filter(isClosed).map((path) => nothingCheck(name, target.url, path)),
  )
  return [
    ...(await baseChecks(target)),
    ...Object.keys(system.apps).flatMap((name) => appChecks(name, target)),
    ...served,
    ...(await operationChecks(target).catch((error: unknown) => [unreadable(error)])),
    ...eventChecks(target),
  ]
}

/** The gateway of `pnpm start` has health and description of all; in front of a cluster there may be neither. */
async function baseChecks({ url, apps, healthRootPath }: Target): Promise<readonly Check[]> {
  const health = healthChecks('gateway', url, healthRootPath)
  const description = descriptionCheck('gateway', url)
  if (apps !== undefined) return [...health, description, nothingCheck('gateway', url)]
  const isThere = async (path: string) => (await ask(url + path)).status !== 404
  return [
    ...((await isThere(healthRootPath)) ? health : [absent(`GET ${healthRootPath}`)]),
    ...((await isThere(MANAGEMENT_PATHS.openApi)) ? [description] : [absent(`GET ${MANAGEMENT_PATHS.openApi}`)]),
  ]
}

function appChecks(subject: string, { system, apps, healthRootPath }: Target): readonly Check[] {
  if (apps === undefined) {
    const reason = 'seen only where pnpm start runs it'
    return [leftOut(subject, 'health, metrics and description', reason)]
  }
  const url = apps[subject]
  if (url === undefined) return [failing(subject, 'runs', 'it is not running')]
  const all = [...healthChecks(subject, url, healthRootPath), metricsCheck(subject, url)]
  // Any path may be that of a broker there.
  if (subject === platformOf(system)) return all
  const { serves = [] } = system.apps[subject] ?? {}
  return [...all, ...(serves.length > 0 ? [descriptionCheck(subject, url)] : []), nothingCheck(subject, url)]
}

function absent(name: string): Check {
  return leftOut('gateway', name, 'there is no route to it')
}

function unreadable(error: unknown): Check {
  return failing('gateway', 'the operations can be read from its description', reasonOf(rootCause(error)))
}

function leftOut(subject: string, name: string, reason: string): Check {
  return { subject, name, run: () => Promise.reject(new LeftOut(reason)) }
}

function failing(subject: string, name: string, reason: string): Check {
  return { subject, name, run: () => Promise.reject(new Error(reason)) }
}
