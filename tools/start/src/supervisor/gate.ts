/** Sources to run instead of those on the disk, by file URL. */
export type KeptSources = Readonly<Record<string, string>>

/** Message to a process at the gate that gets its order later: it loads packages of the program beforehand, and gives a GatePrepared. */
export interface GatePreparation {
  readonly sources: KeptSources
  /** As the program's imports have them. Packages that cannot be loaded are left to the program. */
  readonly packages: readonly string[]
}

/** Message to a process at the gate; it answers when it is loaded, and ends with the reason on stderr when it cannot be. */
export interface GateOrder {
  readonly sources: KeptSources
  /** File URL of a module whose `readConfig` must accept the environment. */
  readonly config: string | undefined
}

/** Answer to a preparation. */
export interface GatePrepared {
  /** URLs of the sources that it has loaded with the packages. */
  readonly loaded: readonly string[]
}

/** Last message: it answers and goes on. */
export interface GateLeave {
  /** Port of 127.0.0.1 for a debugger. */
  readonly inspectPort: number | undefined
}

interface ConfigModule {
  readConfig(env: Readonly<Record<string, string | undefined>>): unknown
}

/**
 * Runs in the child before its program: all modules are loaded and evaluated, but the body of the main module begins only when the parent
 * says so. The child gets this function as text, so it must not use anything outside itself; that holds for what a compiler makes of it, too,
 * which rewrites an `import` of a variable: `load` is that.
 */
async function waitAtGate(load: (url: string) => Promise<ConfigModule>): Promise<void> {
  const { isMainThread } = process.getBuiltinModule('node:worker_threads')
  if (!isMainThread || process.send === undefined) return
  const { registerHooks } = process.getBuiltinModule('node:module')
  const { pathToFileURL } = process.getBuiltinModule('node:url')
  const lost = () => process.exit(1)
  process.once('disconnect', lost)
  const { channel } = process
  function received<T>(): Promise<T> {
    channel?.ref()
    return new Promise((resolve) => {
      process.once('message', (message) => {
        // An open channel would keep a program alive whose top-level await never settles.
        channel?.unref()
        resolve(message as T)
      })
    })
  }
  const main = pathToFileURL(process.argv[1] ?? '').href
  const gate = Symbol.for('taproom.gate')
  const packagesUrl = new URL('taproom-packages', main).href
  let order: GateOrder | GatePreparation = await received()
  const loaded: string[] = []

  async function leave(): Promise<void> {
    if (!('packages' in order) && order.config !== undefined) await check(order.config)
    process.send?.({ isLoaded: true })
    const { inspectPort } = await received<GateLeave>()
    if (inspectPort !== undefined) process.getBuiltinModule('node:inspector').open(inspectPort, '127.0.0.1')
    process.off('disconnect', lost)
    process.send?.({ goes: true }, () => process.disconnect())
  }

  async function check(module: string): Promise<void> {
    const { readConfig } = await load(module)
    try {
      // biome-ignore lint/style/noProcessEnv: it is that of the program, which reads the same
      readConfig(process.env)
    } catch (error) {
      const { message, stack, problems } = error as Error & { problems?: readonly string[] }
      const line = { level: 'fatal', msg: 'wrong configuration', problems, err: { message, stack } }
      process.stderr.write(`${JSON.stringify(line)}\n`)
      process.exit(1)
    }
  }

  Object.assign(globalThis, { [gate]: leave })
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === packagesUrl) return { url: specifier, format: 'module', shortCircuit: true }
      const url = specifier.startsWith('.') && context.parentURL ? new URL(specifier, context.parentURL).href : ''
      if (order.sources[url] === undefined) return next(specifier, context)
      // Also when the file is gone.
      const format = url.endsWith('.ts') ? 'module-typescript' : url.endsWith('.json') ? 'json' : 'module'
      return { url, format, shortCircuit: true }
    },
    load(url, context, next) {
      const source = order.sources[url]
      if ('packages' in order) {
        if (url === packagesUrl) {
          const text = `await Promise.allSettled(${JSON.stringify(order.packages)}.map((name) => import(name)))`
          return { format: 'module', source: text, shortCircuit: true }
        }
        if (source !== undefined) loaded.push(url)
      }
      const module =
        source === undefined
          ? next(url, context)
          : { format: context.format ?? 'module-typescript', source, shortCircuit: true }
      if (url !== main) return module
      // Imports come first, wherever they stand; at the beginning of a line, so that all lines keep their numbers.
      const waiting = (bang: string) => `${bang}await globalThis[Symbol.for('taproom.gate')]();`
      return { ...module, source: String(module.source).replace(/^(?:#!.*\n)?/, waiting) }
    },
  })
  if (!('packages' in order)) return
  await load(packagesUrl)
  process.send({ loaded } satisfies GatePrepared)
  order = await received<GateOrder>()
}

/** Arguments of Node, before those of the program. The process needs a channel. */
export const GATE: readonly string[] = [
  '--import',
  `data:text/javascript,${encodeURIComponent(`await (${waitAtGate})((url) => import(url))`)}`,
]
