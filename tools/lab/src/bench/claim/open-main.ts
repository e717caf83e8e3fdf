/** An express app of the same kernel, whose `/open` gives the answer of `/secure/claim` and asks for no token. */
import { methodNotAllowed } from '@taproom/http'
import { Router } from 'express'
import { serveAsApp } from '../app-server.ts'

const USERNAME = 'user-1'
const routes = Router({ caseSensitive: true })
routes
  .route('/open')
  .get((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(USERNAME) })
    res.end(USERNAME)
  })
  .all(methodNotAllowed('GET', 'HEAD'))
await serveAsApp('open', routes)
