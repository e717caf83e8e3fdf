/** An app of the kernel whose `/films` gets six films of a remote at once, by the client that its arguments name. */
import { createHttpGet } from '@taproom/http'
import { Router } from 'express'
import { Agent } from 'undici'
import { serveAsApp } from '../app-server.ts'

type GetFilm = (path: string) => Promise<Uint8Array>

const [client = '', remote = ''] = process.argv.slice(2)
const PATHS = [1, 2, 3, 4, 5, 6].map((id) => `/films/${id}`)
const LIMIT_BYTES = 1024 * 1024
const TIMEOUT_MS = 30_000

const CLIENTS: Readonly<Record<string, () => GetFilm>> = {
  taproom() {
    const get = createHttpGet({ accept: 'application/json' }, { bodyLimitBytes: LIMIT_BYTES })
    const { signal } = new AbortController()
    return async (path) => (await get(remote + path, signal)).body
  },
  undici() {
    const agent = new Agent({
      connections: 256,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      maxResponseSize: LIMIT_BYTES,
    })
    const { signal } = new AbortController()
    const headers = { accept: 'application/json' }
    return async (path) => {
      const { body } = await agent.request({ origin: remote, path, method: 'GET', headers, signal })
      return body.bytes()
    }
  },
}

const getFilm = CLIENTS[client]?.()
if (getFilm === undefined) throw new Error(`there is no client ${client}`)
const routes = Router({ caseSensitive: true })
routes.get('/films', async (_req, res) => {
  const films = await Promise.all(PATHS.map(getFilm))
  res.json(films.map((bytes) => JSON.parse(Buffer.from(bytes).toString())))
})
await serveAsApp('six-films', routes)
