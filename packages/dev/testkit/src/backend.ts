import { existsSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * Whether a server that tests use is a real one in a container, or an embedded one, which needs no Docker: as `TAPROOM_TEST_BACKEND` says
 * when it is set, else where a Docker engine answers. Says on stderr which.
 *
 * @throws {Error} when the variable is neither `containers` nor `embedded`
 */
export async function hasContainers(server: string): Promise<boolean> {
  const wanted = process.env['TAPROOM_TEST_BACKEND'] ?? ((await dockerAnswers()) ? 'containers' : 'embedded')
  if (wanted !== 'containers' && wanted !== 'embedded') {
    throw new Error(`TAPROOM_TEST_BACKEND="${wanted}": expected containers or embedded`)
  }
  process.stderr.write(`testkit: ${server} is ${wanted === 'containers' ? 'a container' : 'embedded'}\n`)
  return wanted === 'containers'
}

async function dockerAnswers(): Promise<boolean> {
  if (!hasPlaceOfEngine()) return false
  // Imported here and not above: it costs half a second in every test file.
  const { getContainerRuntimeClient } = await import('testcontainers')
  // It throws when it finds no engine by any of its strategies.
  return await getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
}

/** Whether there is any of the places where testcontainers looks for an engine: without one it need not be loaded to find none. */
function hasPlaceOfEngine(): boolean {
  const { DOCKER_HOST, XDG_RUNTIME_DIR } = process.env
  if (process.platform === 'win32' || DOCKER_HOST !== undefined) return true
  const inHome = ['.testcontainers.properties', '.docker/run/docker.sock', '.docker/desktop/docker.sock']
  const runtimeDirs = [XDG_RUNTIME_DIR ?? [], `/run/user/${userInfo().uid}`].flat()
  return [
    '/var/run/docker.sock',
    ...inHome.map((path) => join(homedir(), path)),
    ...runtimeDirs.map((folder) => join(folder, 'docker.sock')),
  ].some((path) => existsSync(path))
}
