import { once } from 'node:events'
import { connect } from 'node:net'
import { run } from '@taproom/processes'
import { describe, expect, it } from 'vitest'
import { startPostgres } from '../src/index.ts'

async function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // An SSLRequest (PostgreSQL protocol, 55.2.10): any server answers it with one byte.
  socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
  try {
    const [answer] = await once(socket, 'data')
    return 'SN'.includes(String.fromCharCode(answer[0]))
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const ENDING_WITH_3 = `
  import { startPostgres } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url))}
  await using postgres = await startPostgres()
  process.exitCode = 3
`

describe('startPostgres', () => {
  it('leaves the process the exit code that was set', async () => {
    const args = ['--conditions=development', '--input-type=module', '--eval', ENDING_WITH_3]
    await expect(run(process.execPath, args)).rejects.toMatchObject({ exitCode: 3 })
  })

  it.each(['stop', 'kill'] as const)('starts a server that is started again on the same port after %s', async (end) => {
    await using postgres = await startPostgres()
    expect(await accepts(postgres.url)).toBe(true)
    await postgres[end]()
    expect(await accepts(postgres.url)).toBe(false)
    await postgres.start()
    expect(await accepts(postgres.url)).toBe(true)
  })
})
