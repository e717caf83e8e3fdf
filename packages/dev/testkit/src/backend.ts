/** The servers that tests use: real ones in containers, or embedded ones, which need no Docker. */
export type Backend = 'containers' | 'embedded'

/**
 * `TAPROOM_TEST_BACKEND` when it is set; else containers where a Docker engine answers and embedded elsewhere. Says on stderr which.
 *
 * @throws {Error} when the variable is neither `containers` nor `embedded`
 */
export async function chooseBackend(server: string): Promise<Backend> {
  const wanted = process.env['TAPROOM_TEST_BACKEND'] ?? ((await dockerAnswers()) ? 'containers' : 'embedded')
  if (wanted !== 'containers' && wanted !== 'embedded') {
    throw new Error(`TAPROOM_TEST_BACKEND="${wanted}": expected containers or embedded`)
  }
  process.stderr.write(`testkit: ${server} is ${wanted === 'containers' ? 'a container' : 'embedded'}\n`)
  return wanted
}

async function dockerAnswers(): Promise<boolean> {
  // Imported here and not above: it costs half a second in every test file.
  const { getContainerRuntimeClient } = await import('testcontainers')
  try {
    await getContainerRuntimeClient()
    return true
  } catch {
    return false // testcontainers throws when it finds no engine by any of its strategies
  }
}
