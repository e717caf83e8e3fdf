import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeEnding, endingWithParent, startNode } from '@taproom/processes'
import { shownVariable, type VariableRead } from '@taproom/service'
import { type EnvironmentLayer, environmentOf, originOf } from '../services/environment.ts'

export interface ConfiguredVariable {
  readonly name: string
  /** `[hidden]` for a secret; undefined when it is not set and has no default. */
  readonly value?: string
  readonly from: EnvironmentLayer['from'] | 'default'
  /** What its value may be, in words. */
  readonly expected?: string
}

export interface ConfigurationOptions {
  readonly name: string
  readonly cwd: string
  /** File URL of a module with `readConfig`; without one it is only known what the process was given. */
  readonly config?: string
  readonly layers: readonly EnvironmentLayer[]
}

const READ_MS = 20_000
const MAX_OUTPUT = 1_048_576
const MAX_SAID = 20

/**
 * The variables that a service reads, in that order, by its own `readConfig`, which a process of its own runs with the service's environment: it
 * is that of the sources as they are, and secrets do not leave that process.
 *
 * @throws {Error} when its configuration cannot be loaded
 */
export async function readConfiguration(options: ConfigurationOptions): Promise<readonly ConfiguredVariable[]> {
  const { config, layers } = options
  const env = environmentOf(layers)
  if (config === undefined) {
    return Object.keys(env).flatMap((name) => {
      const from = originOf(name, layers)
      return from === undefined || from === 'environment' ? [] : [{ name, from, ...shownVariable(name, env[name]) }]
    })
  }
  const read = await readByProcess(options, config, env)
  return read.map(({ name, setAs, value, expected }) => ({
    name,
    ...(value !== undefined && { value }),
    from: (setAs === undefined ? undefined : originOf(setAs, layers)) ?? 'default',
    ...(expected !== undefined && { expected }),
  }))
}

async function readByProcess(
  { name, cwd }: ConfigurationOptions,
  config: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly VariableRead[]> {
  let output = ''
  const said: string[] = []
  await using child = startNode({
    args: [...endingWithParent(programFile()), config],
    cwd,
    env,
    lines: { maxLength: MAX_OUTPUT },
    onLine(line, source) {
      if (source === 'stdout') output = line
      else if (said.length < MAX_SAID) said.push(line)
    },
  })
  const late = setTimeout(() => void child.kill(), READ_MS)
  const ending = await child.ended
  clearTimeout(late)
  if (ending.code === 0) return JSON.parse(output) as readonly VariableRead[]
  throw new Error(`the configuration of ${name} cannot be read: ${describeEnding(ending)} ${said.join(' ')}`.trim())
}

/** Beside this file's folder, as sources or built. */
function programFile(): string {
  const source = fileURLToPath(new URL('../configuration-main.ts', import.meta.url))
  return existsSync(source) ? source : source.replace(/\.ts$/, '.js')
}
