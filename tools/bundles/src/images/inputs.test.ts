import { describe, expect, it } from 'vitest'
import { inputsOf } from './images.ts'

const image = { name: 'event-sinks', apps: ['aloha-sink', 'bonjour-sink'] }
const dryRun = (aloha: string, bonjour = '2', writer = '3') => ({
  tasks: [
    { taskId: '@taproom/aloha-sink#build', hash: aloha },
    { taskId: '@taproom/bonjour-sink#build', hash: bonjour },
    { taskId: '@taproom/bundles#build', hash: writer },
    { taskId: '@taproom/movie-api#build', hash: aloha },
  ],
})
const surroundings = { files: ['FROM base'], baseId: 'sha256:1' }

describe('inputsOf', () => {
  it('is the same for the same inputs', () => {
    expect(inputsOf(image, dryRun('1'), surroundings)).toBe(inputsOf(image, dryRun('1'), surroundings))
  })

  it.each([
    ['an app', inputsOf(image, dryRun('x'), surroundings)],
    ['the other app', inputsOf(image, dryRun('1', 'x'), surroundings)],
    ['what bundles them', inputsOf(image, dryRun('1', '2', 'x'), surroundings)],
    ['the Dockerfile', inputsOf(image, dryRun('1'), { ...surroundings, files: ['FROM other'] })],
    ['the base image', inputsOf(image, dryRun('1'), { ...surroundings, baseId: 'sha256:2' })],
    ['the default app', inputsOf({ ...image, apps: image.apps.toReversed() }, dryRun('1'), surroundings)],
  ])('changes with %s', (_, changed) => {
    expect(changed).not.toBe(inputsOf(image, dryRun('1'), surroundings))
  })

  it('does not change with what is not in the image', () => {
    const { tasks } = dryRun('1')
    const others = { tasks: tasks.with(3, { taskId: '@taproom/movie-api#build', hash: 'x' }) }
    expect(inputsOf(image, others, surroundings)).toBe(inputsOf(image, dryRun('1'), surroundings))
  })

  it('refuses an app that turbo does not build', () => {
    expect(() => inputsOf({ name: 'x', apps: ['x'] }, dryRun('1'), surroundings)).toThrow('@taproom/x')
  })
})
