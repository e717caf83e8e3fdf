import type { Request, Response } from 'express'
import { refusals } from '../errors.ts'
import { compatibilityLevel } from '../registry/compatibility.ts'
import type { Registry } from '../registry/registry.ts'
import { modeOf } from '../registry/settings.ts'
import { answer } from './answer.ts'
import { flag, readObject, settingSubjectOf } from './request.ts'
import type { Routes } from './routes.ts'

type SubjectOf = (req: Request) => string | null

/** `/config` and `/mode`, of the registry and of subjects. */
export function settingRoutes(registry: Registry): Routes {
  const config = configHandlers(registry)
  const mode = modeHandlers(registry)
  return {
    '/config': config(() => null),
    '/config/:subject': config(settingSubjectOf),
    '/mode': mode(() => null),
    '/mode/:subject': mode(settingSubjectOf),
  }
}

/** The others change what is registered in ways that this registry does not know. */
const KNOWN = new Set(['compatibility', 'normalize'])

function configHandlers(registry: Registry) {
  const { settings } = registry
  return (subjectOf: SubjectOf) => ({
    get(req: Request, res: Response) {
      const subject = subjectOf(req)
      const config = flag(req, 'defaultToGlobal') ? settings.configInScope(subject) : settings.config(subject)
      if (config === undefined) throw refusals.noSubjectConfig(subject ?? '')
      answer(res, config)
    },
    async put(req: Request, res: Response) {
      const request = await readObject(req)
      const unknown = Object.keys(request).find((name) => request[name] !== null && !KNOWN.has(name))
      if (unknown !== undefined) throw refusals.unprocessable(`${unknown} is not supported by this registry`)
      const { compatibility, normalize } = request
      const level = compatibilityLevel(compatibility)
      if (compatibility != null && level === undefined) throw refusals.invalidCompatibility()
      if (normalize != null && typeof normalize !== 'boolean') {
        throw refusals.unprocessable('normalize must be true or false')
      }
      const change = { ...(level !== undefined && { level }), ...(normalize != null && { normalize }) }
      await registry.setConfig(subjectOf(req), change)
      answer(res, { ...(level !== undefined && { compatibility: level }), ...(normalize != null && { normalize }) })
    },
    async delete(req: Request, res: Response) {
      answer(res, await registry.deleteConfig(subjectOf(req)))
    },
  })
}

function modeHandlers(registry: Registry) {
  const { settings } = registry
  return (subjectOf: SubjectOf) => ({
    get(req: Request, res: Response) {
      const subject = subjectOf(req)
      const mode = flag(req, 'defaultToGlobal') ? settings.modeInScope(subject) : settings.mode(subject)
      if (mode === undefined) throw refusals.noSubjectMode(subject ?? '')
      answer(res, { mode })
    },
    async put(req: Request, res: Response) {
      const mode = modeOf((await readObject(req))['mode'])
      const subject = subjectOf(req)
      if (mode === undefined) throw refusals.invalidMode()
      if (mode === 'FORWARD' && subject !== null) {
        throw refusals.invalidMode('Forward mode only supported on global level')
      }
      await registry.setMode(subject, mode, flag(req, 'force'))
      answer(res, { mode })
    },
    async delete(req: Request, res: Response) {
      answer(res, { mode: await registry.deleteMode(subjectOf(req)) })
    },
  })
}
