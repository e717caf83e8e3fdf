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
  // Imported here and not above: it costs half a second in every test file.
  const { getContainerRuntimeClient } = await import('testcontainers')
  // It throws when it finds no engine by any of its strategies.
  return await getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
}
