import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeEnding, endingWithParent, startNode } from '@taproom/processes'
import type { Env, VariableRead } from '@taproom/service'

/** A module with `readConfig`, and the environment that it is to read. */
export interface ConfigurationModule {
  /** File URL. */
  readonly url: string
  readonly env: Env
}

export interface ModuleReads {
  /** Variables in the order in which they are read, without secrets. */
  readonly reads: readonly VariableRead[]
  /** Problems with them, one sentence for each. */
  readonly problems: readonly string[]
}

const READ_MS = 20_000
const MAX_SAID = 20

/**
 * Runs the `readConfig` of modules in one process of its own: it is that of the sources as they are, and secrets do not leave that process.
 *
 * @throws {Error} when a module cannot be loaded
 */
export async function readModules(
  modules: readonly ConfigurationModule[],
  { cwd, env }: { readonly cwd: string; readonly env: Env },
): Promise<readonly ModuleReads[]> {
  const said: string[] = []
  await using child = startNode({
    args: endingWithParent(programFile()),
    ...{ cwd, env, hasChannel: true },
    onLine: (line) => void (said.length < MAX_SAID && said.push(line)),
  })
  const late = setTimeout(() => void child.kill(), READ_MS)
  try {
    return await child.ask<readonly ModuleReads[]>(modules)
  } catch (cause) {
    throw new Error(`${describeEnding(await child.ended)} ${said.join(' ')}`.trim(), { cause })
  } finally {
    clearTimeout(late)
  }
}

/** Beside this file's folder, as sources or built. */
function programFile(): string {
  const source = fileURLToPath(new URL('../configuration-main.ts', import.meta.url))
  return existsSync(source) ? source : source.replace(/\.ts$/, '.js')
}
