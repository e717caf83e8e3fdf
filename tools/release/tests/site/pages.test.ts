import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { collectPages } from '../../src/site/collect-pages.ts'
import { missingHeadings } from '../../src/site/page-links.ts'

describe('decisions 3.93: the pages of this repository', async () => {
  const pages = await collectPages(fileURLToPath(new URL('../../../..', import.meta.url)))
  const linksIn = (text: string) => [...text.matchAll(/\]\(\/([^)#]*\.md)/g)].map(([, path = '']) => path)

  it('are all there', () => {
    const wanted = [
      'index.md',
      'decisions.md',
      'deploy/cluster.md',
      'apps/claim-api.md',
      'packages/jwt.md',
      'tools/embedded-kafka.md',
    ]
    expect([...pages.keys()]).toEqual(expect.arrayContaining(wanted))
    expect(pages.size).toBeGreaterThan(40)
  })

  it('link to pages and headings that are there', () => {
    const links = [...pages.values()].flatMap(linksIn)
    expect(links.filter((path) => !pages.has(path))).toEqual([])
    expect(links.length).toBeGreaterThan(100)
    expect(missingHeadings(pages)).toEqual([])
  })

  it('have one of all error codes', () => {
    const text = pages.get('error-codes.md') ?? ''
    for (const code of ['PROXY_BUSY', 'BEER_FORMAT', 'EMBEDDED_KAFKA_DATA_DIR', 'JSON_TOO_DEEP', 'BROKER_BUSY']) {
      expect(text).toContain(`\`${code}\``)
    }
  })
})
