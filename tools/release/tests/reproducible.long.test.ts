import { expect, it } from 'vitest'
import { docker } from '../containers/docker.ts'

const IMAGE = 'taproom-test-event-sinks'
const AGAIN = 'taproom-test-event-sinks-again'
const APPS = ['aloha-sink', 'bonjour-sink']

const hasEngine = await docker('info').then(
  () => true,
  () => false,
)

const build = (...args: string[]) =>
  docker('build', '--file', 'deploy/Dockerfile', '--build-arg', `APP=${APPS.join(' ')}`, ...args, '.')
const layersOf = async (image: string) =>
  JSON.parse(await docker('inspect', '--format', '{{json .RootFS.Layers}}', image))

it('an image that is built again from nothing has the same layers', {
  tags: ['docker'],
  skip: !hasEngine,
}, async () => {
  await build('--tag', IMAGE)
  await build('--no-cache', '--tag', AGAIN)
  try {
    expect(await layersOf(AGAIN)).toEqual(await layersOf(IMAGE))
  } finally {
    await docker('rmi', AGAIN, IMAGE)
  }
})
