import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { askConsole } from '../src/explain/ask-console.ts'

it('an answer that is not JSON is an error with the address and the status', async () => {
  const other = createServer((_request, response) => void response.writeHead(502).end('<html>')).listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  await expect(askConsole({ url, session: 'x' }, '/api/verdicts')).rejects.toThrow(
    `the console at ${url} answered 502 with what is not JSON`,
  )
})
