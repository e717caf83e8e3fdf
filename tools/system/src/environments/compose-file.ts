import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import type { Variables } from '../app.ts'
import type { StartEnvironment } from './config-problems.ts'
import { interpolated } from './interpolation.ts'
import { reasonOf } from './reason-of.ts'

/** A service of a compose.yaml, as far as its environment goes. */
export interface ComposeService {
  readonly name: string
  readonly image: string
  /** Undefined where another program than that of the image runs. */
  readonly command: readonly string[] | undefined
  readonly start: StartEnvironment
  /** Names by which others reach it. */
  readonly hosts: readonly string[]
}

export interface ComposeFile {
  readonly services: readonly ComposeService[]
  /** Names by which services reach each other. */
  readonly hosts: ReadonlySet<string>
  readonly problems: readonly string[]
  /** Parts that Compose reads beside the file: they may have more hosts, and more variables of each service. */
  readonly unread: readonly string[]
}

interface Service {
  readonly image?: string
  readonly command?: string | readonly string[] | null
  readonly entrypoint?: unknown
  readonly extends?: unknown
  readonly environment?: readonly string[] | Readonly<Record<string, unknown>> | null
  readonly env_file?: EnvFile | readonly EnvFile[] | null
  readonly hostname?: string | null
  readonly container_name?: string | null
  readonly extra_hosts?: readonly string[] | Readonly<Record<string, unknown>> | null
  readonly links?: readonly string[] | null
  readonly networks?:
    | readonly string[]
    | Readonly<Record<string, { readonly aliases?: readonly string[] } | null>>
    | null
}

interface Content {
  readonly services?: Readonly<Record<string, Service | null>> | null
  readonly include?: unknown
}

type EnvFile = string | { readonly path: string; readonly required?: boolean }

/** Compose merges the first that is there with compose.yaml. */
const OVERRIDES = [
  'compose.override.yml',
  'compose.override.yaml',
  'docker-compose.override.yml',
  'docker-compose.override.yaml',
]

/**
 * Reads `deploy/compose.yaml` as Compose does where nothing is set but what `.env` beside it has. A service that cannot be read is left out
 * and named.
 *
 * @throws {Error} when the text is not YAML
 */
export async function readCompose(text: string, folder: string): Promise<ComposeFile> {
  const content: Content = parse(text, { merge: true }) ?? {}
  const present = await readdir(folder)
  const override = OVERRIDES.find((name) => present.includes(name))
  const beside = [override, content.include === undefined ? undefined : 'include'].filter((part) => part !== undefined)
  const services = Object.entries(content.services ?? {})
  const set = parseEnv(await readFile(join(folder, '.env'), 'utf8').catch(() => ''))
  const problems: string[] = []

  async function read([name, service]: readonly [string, Service | null]): Promise<ComposeService> {
    if (service === null) throw new RangeError('it has no fields')
    const files = await variablesOfFiles(service, folder)
    problems.push(...files.missing.map((path) => `${name}: env_file ${path} is not there`))
    return {
      name,
      image: interpolated(service.image ?? name, set) ?? name,
      command: service.entrypoint === undefined ? wordsOf(service.command ?? []) : undefined,
      start: {
        ...environmentOf(service, files.variables, set),
        isOpen: service.extends !== undefined || beside.length > 0,
      },
      hosts: hostsOf(service),
    }
  }

  const found = services.map((entry) =>
    read(entry).catch((error: unknown) => {
      problems.push(`${entry[0]}: cannot be read: ${reasonOf(error)}`)
      return []
    }),
  )
  const readable = (await Promise.all(found)).flat()
  const hosts = new Set([...services.map(([name]) => name), ...readable.flatMap((service) => service.hosts)])
  return { services: readable, hosts, problems, unread: beside.map((part) => `${part} is not read`) }
}

function environmentOf(service: Service, ofFiles: Readonly<Record<string, string>>, set: Variables) {
  const env: Record<string, string> = { ...ofFiles }
  const given = new Set<string>()
  for (const [name, text] of entriesOf(service.environment ?? [])) {
    const value = text === undefined ? set[name] : interpolated(text, set)
    delete env[name]
    if (value === undefined) given.add(name)
    else env[name] = value
  }
  return { env, given }
}

/** Undefined is a variable that has the value that it has for Compose itself. */
function entriesOf(
  environment: NonNullable<Service['environment']>,
): readonly (readonly [string, string | undefined])[] {
  if (!isList(environment)) {
    return Object.entries(environment).map(([name, value]) => [name, value == null ? undefined : String(value)])
  }
  return environment.map((line) => {
    const [, name = line, value] = /^([^=]*)=([\s\S]*)$/.exec(line) ?? []
    return [name, value]
  })
}

async function variablesOfFiles({ env_file }: Service, folder: string) {
  const named = env_file ?? []
  const variables: Record<string, string> = {}
  const missing: string[] = []
  for (const file of isList(named) ? named : [named]) {
    const { path, required = true } = typeof file === 'string' ? { path: file } : file
    const text = await readFile(join(folder, path), 'utf8').catch(() => undefined)
    if (text !== undefined) Object.assign(variables, parseEnv(text))
    else if (required) missing.push(path)
  }
  return { variables, missing }
}

function hostsOf({ hostname, container_name, extra_hosts, links, networks }: Service): readonly string[] {
  const ofNetworks = isList(networks) ? [] : Object.values(networks ?? {})
  const aliases = ofNetworks.flatMap((network) => network?.aliases ?? [])
  const extra = extra_hosts ?? []
  const extraHosts = isList(extra) ? extra.map((entry) => entry.split(/[:=]/)[0] ?? '') : Object.keys(extra)
  const linked = (links ?? []).map((link) => link.replace(/^.*:/, ''))
  return [...[hostname, container_name].filter((one) => one != null), ...aliases, ...extraHosts, ...linked]
}

function wordsOf(command: string | readonly string[]): readonly string[] {
  return typeof command === 'string' ? command.split(/\s+/).filter((word) => word !== '') : command
}

function isList<T>(value: T | readonly T[] | object | null | undefined): value is readonly T[] {
  return Array.isArray(value)
}
