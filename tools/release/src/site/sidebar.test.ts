import { expect, it } from 'vitest'
import { sidebarOf } from './sidebar.ts'

it('the sidebar has a heading for each part that has pages, packages without their scope', () => {
  const pages = new Map([
    ['packages/jwt.md', '# @taproom/jwt\n'],
    ['index.md', '# Taproom\n\n# Not the title\n'],
    ['deploy/index.md', 'text\n'],
  ])
  expect(sidebarOf(pages)).toEqual([
    { text: 'Start', collapsed: false, items: [{ text: 'Taproom', link: '/' }] },
    { text: 'Packages', collapsed: true, items: [{ text: 'jwt', link: '/packages/jwt' }] },
    { text: 'Deployment', collapsed: true, items: [{ text: 'deploy/index.md', link: '/deploy/' }] },
  ])
})
