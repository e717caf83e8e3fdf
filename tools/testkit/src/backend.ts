/**
 * Whether a server that tests use is a real one in a container, or an embedded one, which needs no Docker: as `TAPROOM_TEST_BACKEND` says
 * when it is set, else where a Docker engine answers. Says on stderr which.
 *
 * @throws {Error} when the variable is neither `containers` nor `embedded`
 */
export async function hasContainers(server: string): Promise<boolean> {
  const wanted = process.env['TAPROOM_TEST_BACKEND'] ?? (await backendHere())
  if (wanted !== 'containers' && wanted !== 'embedded') {
    throw new Error(`TAPROOM_TEST_BACKEND="${wanted}": expected containers or embedded`)
  }
  process.stderr.write(`testkit: ${server} is ${wanted === 'containers' ? 'a container' : 'embedded'}\n`)
  return wanted === 'containers'
}

/** The default. `pnpm test` asks once for all workspaces: loading what finds an engine takes half a second. */
export async function backendHere(): Promise<'containers' | 'embedded'> {
  const { getContainerRuntimeClient } = await import('testcontainers')
  // It throws when it finds no engine by any of its strategies.
  return await getContainerRuntimeClient().then(
    () => 'containers' as const,
    () => 'embedded' as const,
  )
}
