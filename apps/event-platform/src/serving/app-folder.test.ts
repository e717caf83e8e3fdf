import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findApp } from './app-folder.ts'

describe('findApp', () => {
  let appsDir: string
  beforeAll(() => {
    appsDir = mkdtempSync(join(tmpdir(), 'apps-'))
    mkdirSync(join(appsDir, 'aloha-sink/src'), { recursive: true })
    writeFileSync(join(appsDir, 'aloha-sink/src/main.ts'), '')
  })
  afterAll(() => rmSync(appsDir, { recursive: true }))

  it('decisions 3.20: takes the first argument, because one image holds both sinks', () => {
    expect(findApp({ image: 'event-sinks', args: ['aloha-sink'] }, appsDir)).toEqual({
      app: 'aloha-sink',
      folder: join(appsDir, 'aloha-sink'),
      main: join(appsDir, 'aloha-sink/src/main.ts'),
    })
  })

  it('runs what an app was compiled to where its sources are not, and rather its bundle, as in an image', () => {
    const dist = join(appsDir, 'bonjour-sink/dist')
    const found = () => findApp({ image: 'event-sinks', args: ['bonjour-sink'] }, appsDir)
    mkdirSync(join(dist, 'bundle'), { recursive: true })
    writeFileSync(join(dist, 'main.js'), '')
    expect(found()).toMatchObject({ main: join(dist, 'main.js') })
    writeFileSync(join(dist, 'bundle/main.cjs'), '')
    expect(found()).toMatchObject({ main: join(dist, 'bundle/main.cjs') })
  })

  it.each(['aloha-sink', 'registry.example:5000/team/aloha-sink:1.2', 'a/aloha-sink@sha256:00', 'aloha-sink:latest'])(
    'takes the last component of the image %s when there are no arguments',
    (image) => {
      expect(findApp({ image, args: [] }, appsDir)).toMatchObject({ app: 'aloha-sink' })
    },
  )

  it('runs no second platform', () => {
    mkdirSync(join(appsDir, 'event-platform/src'), { recursive: true })
    writeFileSync(join(appsDir, 'event-platform/src/main.ts'), '')
    expect(findApp({ image: 'event-platform', args: [] }, appsDir)).toHaveProperty('problem')
    expect(findApp({ image: 'event-sinks', args: ['event-platform'] }, appsDir)).toHaveProperty('problem')
  })

  it.each(['../aloha-sink', 'aloha-sink/..', '', 'Aloha', '.'])('refuses %o, which is no app name', (arg) => {
    expect(findApp({ image: 'event-sinks', args: [arg] }, appsDir)).toHaveProperty('problem')
  })

  it('names an app that does not exist', () => {
    expect(findApp({ image: 'event-sinks', args: ['no-sink'] }, appsDir)).toEqual({
      problem: 'there is no app "no-sink" to run for image "event-sinks"',
    })
  })
})
