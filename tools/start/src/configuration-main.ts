// Runs the `readConfig` of modules for `configurations/read-modules.ts`: answers a message with modules by what they read.
import { type ConfigError, type Env, recordReads } from '@taproom/service'
import type { ConfigurationModule, ModuleReads } from './configurations/read-modules.ts'

process.once('message', async (modules: readonly ConfigurationModule[]) => {
  process.send?.(await Promise.all(modules.map(readModule)), () => process.disconnect())
})

async function readModule({ url, env }: ConfigurationModule): Promise<ModuleReads> {
  const module: { readConfig(env: Env): unknown } = await import(url)
  const recorded = recordReads(env)
  try {
    module.readConfig(recorded.env)
    return { reads: recorded.reads(), problems: [] }
  } catch (error) {
    return { reads: recorded.reads(), problems: problemsOf(error) }
  }
}

/** The class may be that of another copy of the package. */
function problemsOf(error: unknown): readonly string[] {
  const { problems } = error as Partial<ConfigError>
  return Array.isArray(problems) ? problems.map(String) : []
}
