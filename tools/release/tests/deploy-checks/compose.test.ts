import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { run } from '@taproom/processes'
import type { System } from '@taproom/system'
import { describe, expect, it } from 'vitest'
import { nginxImage, said } from '../../src/deploy-checks/compose-files.ts'
import { command, READERS } from './compose-readers.ts'
import { DEPLOY } from './folders.ts'
import { SYSTEMS, written } from './other-systems.ts'

describe.each(READERS)('decisions 3.107: $name reads $file', { tags: 'docker' }, ({ look }) => {
  it('of this repository', { skip: look === undefined }, async () => {
    expect(await look?.(dirname(DEPLOY))).toBe('')
  })
})

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
