import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceLine } from '@taproom/core/lines'
import { ConfigError } from '@taproom/service'
import { defineSystem, eventPlatform, kafka } from '@taproom/system'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeSinks } from '../src/services/manifests.ts'

const system = defineSystem({ name: 'Shop', apps: { 'event-platform': eventPlatform(kafka) } })
let root: string
let lines: ServiceLine[]
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sinks-'))
  lines = []
})
afterEach(() => rm(root, { recursive: true }))

const described = (env: Record<string, string> = {}) =>
  describeSinks({
    ...{ system, env },
    files: { root, program: (name) => name },
    logs: { write: (line) => void lines.push(line) },
  })

it('describeSinks names the manifests that it writes, and says nothing when none differs', async () => {
  await described()
  await described()
  expect(lines.map(({ fields }) => fields['changed'])).toEqual([
    expect.arrayContaining(['deploy/knative/200-broker.yaml']),
  ])
})

it('describeSinks writes nothing where MANIFESTS names a folder', async () => {
  await described({ MANIFESTS: '/elsewhere' })
  expect([existsSync(join(root, 'deploy')), lines]).toEqual([false, []])
})

it('decisions 3.107: describeSinks ends the start with the name of a manifest that cannot be written', async () => {
  await writeFile(join(root, 'deploy'), 'a file')
  const error: unknown = await described().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConfigError)
  expect(error).toMatchObject({
    problems: ['deploy/knative/100-namespace.yaml differs from system.ts and cannot be written (ENOTDIR)'],
  })
})
