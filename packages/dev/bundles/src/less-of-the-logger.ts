import type { Plugin } from 'rolldown'

/**
 * What pino loads for logs that are written in a worker thread, and for checks of itself. A service writes its lines itself, and starts two
 * milliseconds sooner without.
 */
const NO_TRANSPORT = 'module.exports = () => { throw new Error("a service writes its log itself") }'
const LESS: Readonly<Record<string, string>> = {
  './transport': NO_TRANSPORT,
  './lib/transport': NO_TRANSPORT,
  assert: 'module.exports = (holds, message) => { if (!holds) throw new Error(message) }',
  worker_threads: 'module.exports = { isMainThread: true }',
}
const LOGGER = /[\\/]node_modules[\\/](?:pino|sonic-boom)[\\/](?!node_modules)/

/** Leaves that out of a bundle. */
export const lessOfTheLogger: Plugin = {
  name: 'less-of-the-logger',
  resolveId: (source, importer) =>
    importer !== undefined && LOGGER.test(importer) && Object.hasOwn(LESS, source) ? `\0less:${source}` : undefined,
  load: (id) => {
    const code = id.startsWith('\0less:') ? LESS[id.slice('\0less:'.length)] : undefined
    return code === undefined ? undefined : { code, moduleType: 'js' }
  },
}
