import { expect, it } from 'vitest'
import { docker } from './docker.ts'

const IMAGE = 'event-sinks'
const AGAIN = 'taproom-test-event-sinks-again'
const APPS = ['aloha-sink', 'bonjour-sink']

const layersOf = async (image: string) =>
  JSON.parse(await docker('inspect', '--format', '{{json .RootFS.Layers}}', image))

it('an image that is built again from nothing has the same layers', async () => {
  const args = ['--file', 'deploy/Dockerfile', '--build-arg', `APP=${APPS.join(' ')}`]
  await docker('build', '--no-cache', ...args, '--tag', AGAIN, '.')
  try {
    expect(await layersOf(AGAIN)).toEqual(await layersOf(`${IMAGE}:development`))
  } finally {
    await docker('rmi', AGAIN)
  }
})
