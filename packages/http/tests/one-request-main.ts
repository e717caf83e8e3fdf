/** Asks an address once, says the status, and leaves its connection idle. */
import { HttpClient } from '../src/index.ts'

const url = process.argv[2] ?? ''
const answer = await new HttpClient().request({ method: 'GET', url, timeoutMs: 60_000, limitBytes: 1024 })
process.stdout.write(`${answer.status}\n`)
