import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { anchorOf } from '../../src/site/anchor.ts'
import { SEARCH } from '../../src/site/search.ts'

/** Everything is served from where the site is: no fonts, scripts or searches of others. */
export default defineConfig({
  title: 'Taproom',
  description: 'JWT security, health, fault tolerance, Kafka streams and event routing for Node',
  srcDir: 'dist/pages',
  outDir: 'dist/site',
  cacheDir: 'dist/cache',
  lastUpdated: false,
  // Those of the running system; any other link that leads nowhere fails the build.
  ignoreDeadLinks: 'localhostLinks',
  // READMEs have no HTML: what looks like it is a placeholder, such as <name>.
  markdown: { html: false, anchor: { slugify: anchorOf } },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: SEARCH } },
    outline: [2, 3],
    sidebar: JSON.parse(readFileSync(new URL('../dist/sidebar.json', import.meta.url), 'utf8')),
  },
})
