import { fileURLToPath } from 'node:url'
import { openBundles, type ProgramBundles } from '@taproom/bundles'
import { checkVariables } from '../configurations/check-variables.ts'
import { ownLine } from '../output/service-line.ts'
import type { ServiceDescription } from '../services/services.ts'
import type { SystemOptions } from '../services/system-options.ts'

/** `pnpm start` itself, which the command loads from its bundle at the next start. No service is called gateway. */
const START = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../index.ts' : '../index.js', import.meta.url))

/**
 * Opens the bundles of a system's programs, and makes them when they are not current. Undefined where programs are run from their sources:
 * also when bundles would have to be made and services will refuse their variables, since that start fails anyway.
 */
export async function systemBundles(
  { system, files, env, cwd, logs, stop, onBundling }: SystemOptions,
  descriptions: readonly ServiceDescription[],
): Promise<ProgramBundles | undefined> {
  if (system.bundle === undefined) return undefined
  const left = new AbortController()
  const wrong = Promise.withResolvers<undefined>()
  const making = openBundles({
    root: files.root,
    programs: { gateway: START, ...Object.fromEntries(descriptions.map(({ name, main }) => [name, main])) },
    external: system.bundle.external,
    env,
    signal: AbortSignal.any([stop, left.signal]),
    onMaking() {
      onBundling()
      void areWrong(descriptions, { cwd, env }).then((isWrong) => isWrong && wrong.resolve(undefined))
    },
  })
  const bundles = await Promise.race([making, wrong.promise]).finally(() => left.abort())
  if (bundles === undefined || bundles.problem === undefined) return bundles
  logs.write(
    ownLine('gateway', 'warn', 'programs cannot be bundled, they are run from their sources', {
      reason: bundles.problem,
    }),
  )
  return undefined
}

/** True when a service will refuse its variables. A configuration that cannot be read does not count: its service says why. */
async function areWrong(
  descriptions: readonly ServiceDescription[],
  place: Parameters<typeof checkVariables>[1],
): Promise<boolean> {
  const { failures } = await checkVariables(descriptions, place).catch(() => ({ failures: [] }))
  return failures.length > 0
}
