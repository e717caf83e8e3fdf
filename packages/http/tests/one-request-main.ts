/** Asks an address once, says the status, and leaves its connection idle. */
import { HttpClient } from '../src/index.ts'

const answer = await new HttpClient().request({ method: 'GET', url: process.argv[2] ?? '', timeoutMs: 60_000 })
await answer.read(1024)
process.stdout.write(`${answer.status}\n`)
