import { expect, it } from 'vitest'
import { pagePath } from './page-path.ts'

it.each([
  ['README.md', 'index.md'],
  ['SECURITY.md', 'security.md'],
  ['docs/decisions.md', 'decisions.md'],
  ['docs/guides/secure.md', 'guides/secure.md'],
  ['deploy/README.md', 'deploy/index.md'],
  ['deploy/tls.md', 'deploy/tls.md'],
  ['apps/claim-api/README.md', 'apps/claim-api.md'],
  ['packages/jwt/README.md', 'packages/jwt.md'],
  ['tools/kafka/embedded-kafka/README.md', 'tools/embedded-kafka.md'],
  ['tools/lab/README.md', 'tools/lab.md'],
  ['tools/lab/src/bench/README.md', 'tools/bench.md'],
  ['tools/kafka/embedded-kafka/recipes/README.md', undefined],
  ['packages/jwt/notes.md', undefined],
  ['system.ts', undefined],
])('%s is the page %s', (file, page) => {
  expect(pagePath(file)).toBe(page)
})
