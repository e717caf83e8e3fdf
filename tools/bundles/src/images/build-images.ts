import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { run } from '@taproom/processes'
import { type ImageDescription, imagesOf, type System } from '@taproom/system'
import { chooseImages, type DryRun, inputsOf, WRITER } from './images.ts'

const DOCKERFILE = 'deploy/Dockerfile'
const FILES = [DOCKERFILE, '.dockerignore', 'tsconfig.build.json', 'tools/bundles/pnpm/package-lock.json']
/** Each waits for disks about as long as it computes. */
const AT_ONCE = 2
const USAGE = `usage: pnpm images [image…] [--tag TAG] [--base IMAGE]
  image…   which ones (default: all)
  --tag    their tag (default: development)
  --base   an image with Node 24 and npm (default: node:24-bookworm-slim)
`

interface Build {
  readonly tag: string
  readonly base: string
  readonly revision: string
  /** The inputs of those images that are to be built, by their names. */
  readonly changed: ReadonlyMap<string, string | undefined>
  /** What is compiled at once for all of them: the apps of each, as the Dockerfile asks for them. */
  readonly compiled: readonly string[]
  readonly docker: (...args: string[]) => Promise<string>
}

async function inspect(docker: Build['docker'], image: string, format: string): Promise<string | undefined> {
  try {
    return (await docker('image', 'inspect', '--format', format, image)).trim()
  } catch {
    return undefined // there is no such image yet
  }
}

/** The images with other inputs than those they were built from; without inputs the layers know what has changed. */
async function changedOf(
  images: readonly ImageDescription[],
  inputs: ReadonlyMap<string, string>,
  { tag, docker }: Pick<Build, 'tag' | 'docker'>,
): Promise<Build['changed']> {
  const changed = new Map<string, string | undefined>()
  for (const { name } of images) {
    const builtFrom = await inspect(docker, `${name}:${tag}`, '{{index .Config.Labels "dev.taproom.inputs"}}')
    if (builtFrom === undefined || builtFrom !== inputs.get(name)) changed.set(name, inputs.get(name))
  }
  return changed
}

async function build(
  image: ImageDescription,
  { tag, base, revision, changed, compiled, docker }: Build,
): Promise<string> {
  const reference = `${image.name}:${tag}`
  const started = performance.now()
  const isChanged = changed.has(image.name)
  if (isChanged) {
    const inputs = changed.get(image.name)
    const values = {
      BASE_IMAGE: base,
      APP: image.apps.join(' '),
      REVISION: revision,
      ...(inputs !== undefined && { IMAGES: compiled.join(' '), INPUTS: inputs }),
    }
    const buildArgs = Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
    await docker('build', '--file', DOCKERFILE, ...buildArgs, '--tag', reference, '.')
  }
  const size = `${((Number(await inspect(docker, reference, '{{.Size}}')) || 0) / 1e6).toFixed(1)} MB`
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return `${reference.padEnd(30)} ${size.padStart(9)}  ${isChanged ? 'built' : 'unchanged'} in ${seconds} s`
}

/** Builds the images whose inputs changed, as `pnpm images` does; `root` has deploy/Dockerfile. Sets the exit code when it cannot. */
export async function buildImages(system: System, root: string, args: readonly string[]): Promise<void> {
  try {
    await buildChosen(system, root, args)
  } catch (error) {
    const isWrongUse = error instanceof TypeError || error instanceof RangeError
    const usage = isWrongUse ? `\n${USAGE}` : ''
    process.stderr.write(`pnpm images: ${error instanceof Error ? error.message : error}\n${usage}`)
    process.exitCode = 1
  }
}

async function buildChosen(system: System, root: string, args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      tag: { type: 'string', default: 'development' },
      base: { type: 'string', default: 'node:24-bookworm-slim' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    return
  }
  const images = chooseImages(imagesOf(system), positionals)
  if (!existsSync(join(root, DOCKERFILE))) throw new Error(`there is no ${DOCKERFILE} in ${root}`)
  const docker: Build['docker'] = async (...args) => (await run('docker', args, { cwd: root })).stdout
  if ((await inspect(docker, values.base, '{{.Id}}')) === undefined) await docker('pull', values.base)
  const baseId = (await inspect(docker, values.base, '{{.Id}}')) ?? ''
  const inputs = existsSync(join(root, 'turbo.json')) ? await inputsByTurbo(images, root, baseId) : new Map()
  const revision = await run('git', ['rev-parse', 'HEAD'], { cwd: root }).then(
    ({ stdout }) => stdout.trim(),
    () => 'unknown',
  )
  const changed = await changedOf(images, inputs, { tag: values.tag, docker })
  const ordered = images.toSorted((a, b) => Number(changed.has(a.name)) - Number(changed.has(b.name)))
  const compiled = ordered.slice(images.length - changed.size).map(({ apps }) => apps.join('+'))
  const buildNext = async (image: ImageDescription) => {
    const line = await build(image, { ...values, revision, changed, compiled, docker })
    process.stdout.write(`${line}\n`)
  }
  // Those without a change are told at once. The first with one is built alone: it makes the layers that all have in common.
  const alone = images.length - changed.size + 1
  for (const image of ordered.slice(0, alone)) await buildNext(image)
  const left = each(ordered.slice(alone))
  const buildAll = async () => {
    for (const image of left) await buildNext(image)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, buildAll))
}

/** A generator, not the array's own iterator: where one build fails, its loop ends it for the others, too. */
function* each<T>(items: readonly T[]): Generator<T, undefined> {
  yield* items
}

/** Hashes of all inputs by the names of images, for a repository whose workspaces turbo builds. */
async function inputsByTurbo(
  images: readonly ImageDescription[],
  root: string,
  baseId: string,
): Promise<ReadonlyMap<string, string>> {
  const filters = [...images.flatMap((image) => image.apps), WRITER].map((app) => `--filter=@taproom/${app}`)
  const { stdout } = await run('turbo', ['run', 'build', '--dry=json', ...filters], { cwd: root })
  const dryRun: DryRun = JSON.parse(stdout)
  const files = await Promise.all(FILES.map((file) => readFile(join(root, file), 'utf8')))
  return new Map(images.map((image) => [image.name, inputsOf(image, dryRun, { files, baseId })]))
}
