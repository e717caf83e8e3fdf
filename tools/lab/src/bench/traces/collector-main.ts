/** Takes OTLP exports and drops them, as fast as Node can. */
import { createServer } from 'node:http'
import { listenReady } from '../../harness/server-process.ts'

listenReady(
  createServer((req, res) => {
    req.resume().on('end', () => res.end())
  }),
)
