import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { System } from '../define-system.ts'
import { PLATFORM } from '../event-platform.ts'
import { projectName } from '../project-name.ts'
import type { Sink } from '../sink.ts'
import { sinkPrefix } from '../sink-surroundings.ts'
import { sinkValues } from '../sink-values.ts'
import { variableOf } from '../variable-of.ts'
import { parseImageName } from './app-of-image.ts'
import { configProblems, OF_IMAGE, type StartEnvironment } from './config-problems.ts'

/** Names what each sink lacks to start where event-platform runs with this environment. */
export async function sinkProblems(system: System, platform: StartEnvironment): Promise<readonly string[]> {
  const ofSinks = Object.entries(system.sinks).map(async ([name, sink]) => {
    const prefix = sinkPrefix(name)
    const isOwn = (variable: string) => variable.startsWith(prefix)
    const nameInSink = (variable: string) => variable.slice(prefix.length)
    const own = Object.entries(platform.env).filter(([variable]) => isOwn(variable))
    const start = {
      env: {
        ...OF_IMAGE,
        ...sinkValues(sink),
        ...Object.fromEntries(own.map(([variable, value]) => [nameInSink(variable), value])),
      },
      given: new Set(Array.from(platform.given).filter(isOwn).map(nameInSink)),
      isOpen: platform.isOpen,
    }
    const problems = [...(await configProblems(sink, start)), ...unmetNeeds(sink, start)]
    return problems.map((problem) => `sink ${name}: ${problem} (here its variables begin with ${prefix})`)
  })
  return (await Promise.all(ofSinks)).flat()
}

/** A sink with the default of such a variable, as an SQLite file that no volume keeps, starts and is not ready. */
function unmetNeeds({ needs = [] }: Sink, { env, given, isOpen }: StartEnvironment): readonly string[] {
  const isSet = (property: string) => variableOf(property) in env || given.has(variableOf(property))
  const unmet = isOpen ? [] : needs.filter(({ variables }) => !variables.some(isSet))
  return unmet.map(({ name, variables: [first] }) => `${variableOf(first)}: is not set: the sink needs ${name}`)
}

/** `pnpm images` makes the image of an installed event-platform from a workspace of its name. */
export function missingPlatformFolder(system: System, root: string, image: string): readonly string[] {
  const { apps } = system
  const folder = `apps/${PLATFORM}`
  const isInstalled = apps[PLATFORM]?.main !== undefined && parseImageName(image).name === PLATFORM
  if (!isInstalled || existsSync(join(root, folder))) return []
  return [
    `its image is made of ${folder}, which is not there: write ${folder}/package.json, ` +
      `{ "name": "@${projectName(system)}/${PLATFORM}", "version": "0.1.0", "private": true, "type": "module", ` +
      `"dependencies": { "@taproom/event-platform": "*" } }, and ${folder}/src/main.ts, import '@taproom/event-platform/main', ` +
      'then run npx -y pnpm@12 install (docs/guides/deploy.md)',
  ]
}
