import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { System } from '@taproom/system'
import { describe, expect, it } from 'vitest'
import { type Look, nginxImage, said } from '../src/compose-files.ts'
import { command, READERS } from './compose-readers.ts'
import { DEPLOY } from './folders.ts'
import { SYSTEMS, written } from './other-systems.ts'

async function changed(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  expect(text).toContain(from)
  await writeFile(file, text.replace(from, to))
}

describe.each(READERS)('decisions 3.107: $name reads $file', { tags: 'docker' }, ({ file, look, from, to }) => {
  const isRead = { skip: look === undefined }
  const problemsOf = (root: string) => (look as Look)(root)

  it('of this repository', isRead, async () => {
    expect(await problemsOf(dirname(DEPLOY))).toBe('')
  })

  it('and says what is wrong with it', isRead, async () => {
    await using folder = await written(SYSTEMS['smallest'] as System)
    await changed(join(folder.root, 'deploy', file), from, to)
    expect(await problemsOf(folder.root)).toContain('nonsense')
  })
})

const run = promisify(execFile)
const image = await nginxImage()

it('decisions 3.119: where the key of tokens is missing, Compose says so; where it is, the project has the name of the system', {
  tags: 'docker',
  skip: command === undefined || image === undefined,
}, async () => {
  const name = `wines-${randomUUID()}`
  await using folder = await written({ ...(SYSTEMS['whole'] as System), name })
  const inDeploy = (file: string) => join(folder.root, 'deploy', file)
  await writeFile(inDeploy('image.yaml'), `services: { template-app: { image: '${image}' } }\n`)
  const files = ['compose.yaml', 'image.yaml'].flatMap((file) => ['--file', inDeploy(file)])
  const [program, ...args] = [...(command ?? []), ...files]
  const made = () => said(program as string, ...args, 'up', '--no-start', '--no-deps', 'template-app')
  const keys = join(folder.root, '.taproom/keys')
  try {
    expect(await made()).toContain(`bind source path does not exist: ${keys}/public-key.pem`)
    expect(existsSync(join(folder.root, '.taproom'))).toBe(false)
    await mkdir(keys, { recursive: true })
    await writeFile(join(keys, 'public-key.pem'), 'a key')
    expect(await made()).toBe('')
    const { stdout } = await run('docker', ['ps', '--all', '--filter', `label=com.docker.compose.project=${name}`])
    expect(stdout).toMatch(/template-app/)
  } finally {
    await said(program as string, ...args, 'down', '--volumes')
  }
})
