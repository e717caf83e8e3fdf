import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { copyRepository, TERMINAL_ENV } from '@taproom/cli/new/testing'
import { run } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { missingLine, type Step } from '../../src/site/guide.ts'

const MODULES = join(import.meta.dirname, '../../node_modules')
const ROOT = join(import.meta.dirname, '../../../..')

type Commands = Extract<Step, { kind: 'commands' }>

/** Where a guide is followed. */
interface Place {
  readonly folder: string
  /** That of its commands. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** What its background commands have printed since a step was done that is no `output`. */
  printed: string
  readonly opened: AsyncDisposableStack
}

/**
 * Does what a guide says. One that begins with `pnpm install` does so in a copy of this repository, any other in an empty folder. What it
 * installs there is linked: the packages of this repository from their sources, others as this workspace has them.
 *
 * @throws {Error} when commands fail or do not print what the guide promises, or a file has an error of types
 */
export async function runGuide(steps: readonly Step[], env: Readonly<Record<string, string>>): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const { folder, ...own } = await openFolder(steps, opened)
  const place = { folder, env: { ...own.env, ...env }, printed: '', opened }
  const files = steps.flatMap((step) => (step.kind === 'file' && step.path.endsWith('.ts') ? step.path : []))
  for (const step of steps) await carryOut(step, place)
  if (files.length > 0) await checkTypes(place.folder, files)
}

async function openFolder(
  steps: readonly Step[],
  opened: AsyncDisposableStack,
): Promise<Pick<Place, 'folder' | 'env'>> {
  const [first] = steps
  if (first?.kind === 'commands' && first.commands === 'pnpm install\n') {
    const { root, env } = opened.use(await copyRepository())
    return { folder: root, env }
  }
  const folder = await mkdtemp(join(tmpdir(), 'guide-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  return { folder, env: TERMINAL_ENV }
}

async function carryOut(step: Step, place: Place): Promise<void> {
  const { folder } = place
  if (step.kind === 'output') {
    const { expected } = step
    await waitFor('what runs in the background', () => missingLine(place.printed, expected) === undefined).catch(() => {
      throw new Error(`"${missingLine(place.printed, expected)}" is not in what was printed:\n${place.printed}`)
    })
    return
  }
  place.printed = ''
  if (step.kind === 'file') {
    await mkdir(dirname(join(folder, step.path)), { recursive: true })
    return await writeFile(join(folder, step.path), step.content)
  }
  if (step.kind === 'change') return await change(join(folder, step.path), step)
  const [, packages] = /^npm install (.*)\n$/.exec(step.commands) ?? []
  if (packages === undefined) return await runCommands(step, place)
  for (const name of packages.split(' ')) await linkPackage(name, folder)
}

async function change(file: string, { before, after }: Extract<Step, { kind: 'change' }>): Promise<void> {
  const [start = '', end, ...more] = (await readFile(file, 'utf8')).split(before)
  if (end === undefined || more.length > 0) throw new Error(`${file} has these lines not once:\n${before}`)
  await writeFile(file, `${start}${after}${end}`)
}

async function checkTypes(folder: string, files: readonly string[]): Promise<void> {
  const settings = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')] },
    files,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  await linkPackage('@types', folder)
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error: { stdout: string }) => {
    throw new Error(`types: ${error.stdout}`)
  })
}

/** What is there already, as in the repository, stays. */
async function linkPackage(name: string, folder: string): Promise<void> {
  const link = join(folder, 'node_modules', name)
  await mkdir(dirname(link), { recursive: true })
  await symlink(join(MODULES, name), link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

async function runCommands({ commands, isBackground, expected }: Commands, place: Place): Promise<void> {
  const child = spawn('bash', ['--norc', '-e', '-o', 'pipefail', '-c', commands], {
    cwd: place.folder,
    // Of its own group, so that what it started ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...place.env,
      NODE_OPTIONS: '--conditions=development',
      NO_COLOR: '1',
      PATH: `${join(MODULES, '.bin')}:${dirname(process.execPath)}:${process.env['PATH']}`,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      if (isBackground) place.printed += text
    })
  }
  const ended = once(child, 'close')
  place.opened.defer(async () => {
    if (child.exitCode !== null || child.pid === undefined) return
    process.kill(-child.pid, 'SIGTERM')
    await ended
  })
  const isDone = () => child.exitCode !== null || (isBackground && missingLine(output, expected) === undefined)
  await waitFor(`${commands}to be done`, isDone).catch((error: Error) => {
    throw new Error(`${error.message}; so far it printed:\n${output}`)
  })
  if (!isBackground) await ended
  const missing = missingLine(output, expected)
  if (missing !== undefined || (child.exitCode ?? 0) !== 0) {
    throw new Error(
      `${commands}ended with ${child.exitCode}; expected "${missing ?? ''}" in what it printed:\n${output}`,
    )
  }
}
