/** `pnpm images [image…]`: builds the images whose inputs changed. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type ImageDescription, imagesOf } from '@taproom/system'
// @boundaries-ignore the description of the system is the root's, and no package's
import { system } from '../../../../system.ts'
import { chooseImages, type DryRun, inputsOf } from '../src/images.ts'
import { ProgramError, run } from '../src/run.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const FILES = ['deploy/Dockerfile', '.dockerignore', 'tsconfig.build.json']
const USAGE = `usage: pnpm images [image…] [--tag TAG] [--base IMAGE]
  image…   which ones (default: all)
  --tag    their tag (default: development)
  --base   an image with Node 24 and npm (default: node:24-bookworm-slim)
`

interface Build {
  readonly tag: string
  readonly base: string
  readonly revision: string
}

const docker = (...args: string[]) => run('docker', args, ROOT)

async function inspect(image: string, format: string): Promise<string | undefined> {
  try {
    return (await docker('image', 'inspect', '--format', format, image)).trim()
  } catch {
    return undefined // there is no such image yet
  }
}

async function build(image: ImageDescription, inputs: string, { tag, base, revision }: Build): Promise<string> {
  const reference = `${image.name}:${tag}`
  const started = performance.now()
  const isUnchanged = (await inspect(reference, '{{index .Config.Labels "dev.taproom.inputs"}}')) === inputs
  if (!isUnchanged) {
    const values = { BASE_IMAGE: base, APP: image.apps.join(' '), INPUTS: inputs, REVISION: revision }
    const buildArgs = Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
    await docker('build', '--file', 'deploy/Dockerfile', ...buildArgs, '--tag', reference, '.')
  }
  const [all = 0, ofBase = 0] = [await inspect(reference, '{{.Size}}'), await inspect(base, '{{.Size}}')].map(Number)
  const size = `${megabytes(all)} MB, ${megabytes(all - ofBase)} of them on top of its base`
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return `${reference.padEnd(30)} ${size.padEnd(42)} ${isUnchanged ? 'unchanged' : 'built'} in ${seconds} s`
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
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
  if ((await inspect(values.base, '{{.Id}}')) === undefined) await docker('pull', values.base)
  const baseId = (await inspect(values.base, '{{.Id}}')) ?? ''
  const filters = images.flatMap((image) => image.apps.map((app) => `--filter=@taproom/${app}`))
  const dryRun: DryRun = JSON.parse(await run('turbo', ['run', 'build', '--dry=json', ...filters], ROOT))
  const files = await Promise.all(FILES.map((file) => readFile(`${ROOT}/${file}`, 'utf8')))
  const revision = (await run('git', ['rev-parse', 'HEAD'], ROOT).catch(() => 'unknown')).trim()
  for (const image of images) {
    const inputs = inputsOf(image, dryRun, { files, baseId })
    console.log(await build(image, inputs, { ...values, revision }))
  }
}

main().catch((error: unknown) => {
  const usage = error instanceof ProgramError ? '' : `\n${USAGE}`
  process.stderr.write(`pnpm images: ${error instanceof Error ? error.message : error}\n${usage}`)
  process.exitCode = 1
})
