import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as resilience from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

describe('README', () => {
  it('shows an example that runs as it is', async () => {
    const code = readme.match(/```js\n([\s\S]*?)```/)?.[1] ?? ''
    const [, imports, body] = code.match(/import \{([^}]*)\} from '@taproom\/resilience'([\s\S]*)/) ?? []
    const run = new Function(
      'resilience',
      `const {${imports}} = resilience\nreturn (async () => {${body}\n return film })()`,
    )
    expect(await run(resilience)).toEqual({ title: 'unknown' })
  })

  it('lists exactly the codes of the error classes', () => {
    const documented = [...readme.matchAll(/^\| `(FT_\w+)`/gm)].map(([, code]) => code)
    const { TimeoutError, CircuitOpenError, BulkheadError, RateLimitError, InvalidOptionError } = resilience
    const codes = [
      new TimeoutError('', 0),
      new CircuitOpenError('', 'open', 0),
      new BulkheadError('', 0, 0),
      new RateLimitError('', 0),
      new InvalidOptionError('', '', '', 0),
    ].map(({ code }) => code)
    expect(documented.toSorted()).toEqual(codes.toSorted())
  })
})
