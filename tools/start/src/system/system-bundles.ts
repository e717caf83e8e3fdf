import { fileURLToPath } from 'node:url'
import { openBundles, type ProgramBundles } from '@taproom/bundles'
import { ownLine } from '../output/service-line.ts'
import type { ServiceDescription } from '../services/services.ts'
import type { SystemOptions } from '../services/system-options.ts'

/** `pnpm start` itself, which the command loads from its bundle at the next start. No service is called gateway. */
const START = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../index.ts' : '../index.js', import.meta.url))

/** Those of a system's programs; undefined where they are run from their sources. */
export async function systemBundles(
  { system, files, env, logs, stop, onBundling }: SystemOptions,
  descriptions: readonly ServiceDescription[],
): Promise<ProgramBundles | undefined> {
  if (system.bundle === undefined) return undefined
  const bundles = await openBundles({
    root: files.root,
    programs: { gateway: START, ...Object.fromEntries(descriptions.map(({ name, main }) => [name, main])) },
    external: system.bundle.external,
    env,
    signal: stop,
    onMaking: onBundling,
  })
  if (bundles.problem === undefined) return bundles
  logs.write(
    ownLine('gateway', 'warn', 'programs cannot be bundled, they are run from their sources', {
      reason: bundles.problem,
    }),
  )
  return undefined
}
