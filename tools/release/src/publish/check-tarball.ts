import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import type { Tarball } from './tarball.ts'

const ATTW = fileURLToPath(new URL('../../node_modules/.bin/attw', import.meta.url))

export interface Rules {
  /** All that is published together. */
  readonly published: ReadonlySet<string>
  /** What pnpm patches here: a user would get it without the patch. */
  readonly patched: ReadonlySet<string>
}

/** The range of libraries and of programs that run the sources of users: Node strips types from 22.18 on, 23 only from 23.6. */
const LIBRARY_RANGE = '^22.18.0 || >=24'
/** With the range of create-taproom, which `npm create` runs, and of embedded-kafka. */
const NODE_RANGES = new Set([LIBRARY_RANGE, '>=20.15'])
/** The README of a library says this; `installed/packages.test.ts` tries both versions. */
const NEEDED = 'Needs Node 22.18 or later, and TypeScript 5.4 or later for its types.'
const LICENSES = new Set(['Apache-2.0', 'MIT'])
const REQUIRED_FILES = ['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json']
const OTHER_FILES = /^(dist|docs|manifests|templates)\//
/** Sources for users to have as their own. */
const TEMPLATES = /^templates\//
/** kafkajs loads these settings where `NODE_ENV` is `test`, as in the tests of its users. */
const TEST_SETTINGS = 'dist/kafkajs/src/retry/defaults.test.js'
const NOT_FOR_USERS = /\.test\.|\.map$|\.tsbuildinfo$|(?<!\.d)\.[cm]?ts$/

/** What is wrong with a packed package, a sentence each. */
export async function problemsOf(tarball: Tarball, rules: Rules): Promise<readonly string[]> {
  return [...ownProblemsOf(tarball, rules), ...(await publintProblems(tarball)), ...(await typeProblems(tarball))]
}

/** Those that no linter of packages knows. */
export function ownProblemsOf(tarball: Tarball, rules: Rules): readonly string[] {
  return [...manifestProblems(tarball, rules), ...fileProblems(tarball)]
}

function manifestProblems({ manifest }: Tarball, { published, patched }: Rules): string[] {
  const problems: string[] = []
  const { dependencies, peerDependencies, exports, imports } = manifest
  for (const protocol of ['workspace:', 'catalog:', 'link:', 'file:']) {
    if (JSON.stringify({ dependencies, peerDependencies }).includes(`"${protocol}`))
      problems.push(`it needs ${protocol}`)
  }
  for (const word of ['"development":', '"./src/']) {
    if (JSON.stringify({ exports, imports }).includes(word)) problems.push(`its exports have ${word}`)
  }
  for (const field of ['private', 'devDependencies', 'scripts']) {
    if (field in manifest) problems.push(`package.json has the field ${field}`)
  }
  if (!NODE_RANGES.has(manifest.engines?.node ?? '')) problems.push(`engines.node is ${manifest.engines?.node}`)
  if (!LICENSES.has(manifest.license ?? '')) problems.push(`the licence is ${manifest.license}`)
  if (!manifest.description) problems.push('there is no description')
  if (!manifest.keywords?.length) problems.push('there are no keywords')
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    if (name.startsWith('@taproom/') && !published.has(name)) problems.push(`it needs ${name}, which is not published`)
    if (patched.has(name)) problems.push(`it needs ${name}, which a user gets without our patch`)
  }
  return problems
}

function fileProblems({ files, manifest }: Tarball): string[] {
  const missing = REQUIRED_FILES.filter((name) => !files.get(name)?.length)
  const odd = [...files.keys()].filter((path) => {
    return (
      (NOT_FOR_USERS.test(path) && path !== TEST_SETTINGS && !TEMPLATES.test(path)) ||
      !(REQUIRED_FILES.includes(path) || OTHER_FILES.test(path))
    )
  })
  const compiled = [...files.keys()].some((path) => path.startsWith('dist/'))
  return [
    ...missing.map((path) => `${path} is missing`),
    ...odd.map((path) => `${path} is not for users`),
    ...(compiled ? [] : ['there is nothing in dist']),
    ...(manifest.engines?.node === LIBRARY_RANGE && !files.get('README.md')?.includes(NEEDED)
      ? [`README.md does not say "${NEEDED}"`]
      : []),
  ]
}

async function publintProblems({ bytes }: Tarball): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
  return messages
    .map((message) => formatMessage(message, pkg, { color: false }) ?? message.code)
    .filter((text) => !text.startsWith('./templates/'))
    .map((text) => `publint: ${text}`)
}

/** For ES modules alone: Node `require`s those, too, from 22.12 on. */
async function typeProblems({ path }: Tarball): Promise<string[]> {
  const options = ['--profile', 'esm-only', '--format', 'ascii', '--no-emoji', '--no-color', '--no-definitely-typed']
  try {
    await run(ATTW, [path, ...options, '--exclude-entrypoints', './package.json'])
    return []
  } catch (error) {
    return [`types: ${(error as { stdout?: string }).stdout || error}`]
  }
}
