import { loadStart } from './load-start.ts'
import { placeOf, rootFor, systemFiles } from './place.ts'

export interface Command {
  readonly syntax: string
  readonly what: string
  /** Sets the exit code when it fails in a way that it has told. */
  run(args: readonly string[]): Promise<void>
}

/** A command of `@taproom/start` that asks the running system. */
function askingTheSystem(command: 'controlServices' | 'openConsole'): Command['run'] {
  return async (args) => {
    const start = await import('@taproom/start')
    await start[command](args, rootFor(args))
  }
}

/** By their names. Each loads what it needs when it runs: most need little. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    syntax: 'start [--fresh]',
    what: 'runs the whole system until Ctrl-C',
    async run(args) {
      const { root, file, system } = await placeOf(args)
      const { runSystem } = await loadStart(root, system)
      await runSystem(system, systemFiles(root), args, { describer: file })
    },
  },
  token: {
    syntax: 'token [--user NAME]',
    what: 'prints a token that the running system accepts',
    async run(args) {
      const place = await placeOf(args)
      const { printToken } = await loadStart(place.root, place.system)
      await printToken(args, place)
    },
  },
  service: {
    syntax: 'service list',
    what: 'lists, stops and starts the processes of the running system',
    run: askingTheSystem('controlServices'),
  },
  console: {
    syntax: 'console',
    what: 'prints the address of the console, and opens it',
    run: askingTheSystem('openConsole'),
  },
  explain: {
    syntax: 'explain [NAME]',
    what: 'says why parts of the running system are not well',
    async run(args) {
      const { explain } = await import('./explain/explain.ts')
      await explain(args, rootFor(args))
    },
  },
  contract: {
    syntax: 'contract [--url URL]',
    what: 'checks that the running system keeps what its packages promise',
    async run(args) {
      const [{ checkContract }, { root, system }] = await Promise.all([import('@taproom/contract'), placeOf(args)])
      await checkContract(system, root, args)
    },
  },
  new: {
    syntax: 'new service NAME',
    what: 'makes a service, a sink or a package',
    async run(args) {
      const { makeNew } = await import('./new/make-new.ts')
      await makeNew(args, rootFor(args))
    },
  },
  rename: {
    syntax: 'rename OLD NEW',
    what: 'gives a service or a sink another name',
    async run(args) {
      const { renameApp } = await import('./rename/rename-app.ts')
      await renameApp(args, rootFor(args))
    },
  },
  images: {
    syntax: 'images [IMAGE]…',
    what: 'builds the container images of the apps',
    async run(args) {
      const [{ buildImages }, { root, system }] = await Promise.all([import('@taproom/bundles/images'), placeOf(args)])
      await buildImages(system, root, args)
    },
  },
  generate: {
    syntax: 'generate [--check]',
    what: 'writes what deploy/ and README.md have from system.ts',
    async run(args) {
      const [{ generate }, { root, system }] = await Promise.all([import('@taproom/system'), placeOf(args)])
      await generate(system, root, args)
    },
  },
}
