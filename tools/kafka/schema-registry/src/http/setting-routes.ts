import type { ServerResponse } from 'node:http'
import type { RoutedRequest } from '@taproom/http'
import { refusals } from '../errors.ts'
import { compatibilityLevel } from '../registry/compatibility.ts'
import type { Registry } from '../registry/registry.ts'
import { modeOf } from '../registry/settings.ts'
import { answer } from './answer.ts'
import { flag, readObject, settingSubjectOf } from './request.ts'
import type { Routes } from './routes.ts'

/** `/config` and `/mode`, of the registry and of subjects. */
export function settingRoutes(registry: Registry): Routes {
  const config = configHandlers(registry)
  const mode = modeHandlers(registry)
  return { '/config': config, '/config/{subject}': config, '/mode': mode, '/mode/{subject}': mode }
}

/** The others change what is registered in ways that this registry does not know. */
const KNOWN = new Set(['compatibility', 'normalize'])

function configHandlers(registry: Registry) {
  const { settings } = registry
  return {
    get(req: RoutedRequest, res: ServerResponse) {
      const subject = settingSubjectOf(req)
      const config = flag(req, 'defaultToGlobal') ? settings.configInScope(subject) : settings.config(subject)
      if (config === undefined) throw refusals.noSubjectConfig(subject ?? '')
      answer(res, config)
    },
    async put(req: RoutedRequest, res: ServerResponse) {
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
      await registry.setConfig(settingSubjectOf(req), change)
      answer(res, { ...(level !== undefined && { compatibility: level }), ...(normalize != null && { normalize }) })
    },
    async delete(req: RoutedRequest, res: ServerResponse) {
      answer(res, await registry.deleteConfig(settingSubjectOf(req)))
    },
  }
}

function modeHandlers(registry: Registry) {
  const { settings } = registry
  return {
    get(req: RoutedRequest, res: ServerResponse) {
      const subject = settingSubjectOf(req)
      const mode = flag(req, 'defaultToGlobal') ? settings.modeInScope(subject) : settings.mode(subject)
      if (mode === undefined) throw refusals.noSubjectMode(subject ?? '')
      answer(res, { mode })
    },
    async put(req: RoutedRequest, res: ServerResponse) {
      const mode = modeOf((await readObject(req))['mode'])
      const subject = settingSubjectOf(req)
      if (mode === undefined) throw refusals.invalidMode()
      if (mode === 'FORWARD' && subject !== null) {
        throw refusals.invalidMode('Forward mode only supported on global level')
      }
      await registry.setMode(subject, mode, flag(req, 'force'))
      answer(res, { mode })
    },
    async delete(req: RoutedRequest, res: ServerResponse) {
      answer(res, { mode: await registry.deleteMode(settingSubjectOf(req)) })
    },
  }
}
