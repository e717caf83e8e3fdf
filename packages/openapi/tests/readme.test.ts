import { readFileSync } from 'node:fs'
import type { RequestHandler } from '@taproom/http'
import { describe, expect, it } from 'vitest'
import * as openapi from '../src/index.ts'
import { readDescription } from '../src/testing/index.ts'
import { startServer } from './start-server.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

describe('README', () => {
  it('shows an example that runs as it is', async () => {
    const code = readme.match(/```js\n([\s\S]*?)```/)?.[1] ?? ''
    const [, imports, body] = code.match(/import \{([^}]*)\} from '@taproom\/openapi'([\s\S]*)/) ?? []
    const run = new Function('openapi', `const {${imports}} = openapi\n${body}\nreturn { document, routes }`)
    const { document, routes } = run(openapi) as { document: openapi.OpenApiDocument; routes: RequestHandler }
    await using server = await startServer(routes)
    expect(await (await server.get('/q/openapi.json')).json()).toEqual(document)
    const api = await readDescription(document)
    expect(api.unseen()).toEqual(expect.arrayContaining(['GET /film 200', 'GET /film 404', 'GET /q/health 503']))
  })
})
