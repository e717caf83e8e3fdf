import { describe, expect, it } from 'vitest'
import { projectFiles } from './project-files.ts'

const files = await projectFiles('wine-shop', (name) => `1.2.3-${name.replace(/\W+/g, '')}`)

describe('the files of a new repository', () => {
  it('have its name, and versions in place of their marks', () => {
    expect(JSON.parse(files.get('package.json') ?? '')).toMatchObject({
      name: 'wine-shop',
      dependencies: { '@taproom/cli': '^1.2.3-taproomcli' },
    })
    expect(files.get('pnpm-workspace.yaml')).toContain('node: 1.2.3-node\n')
    expect(files.get('system.ts')).toContain("name: 'wine-shop'")
    for (const [path, text] of files) expect(text, path).not.toMatch(/template.?app|VERSION\(|RANGE\(/i)
  })

  it('are what npm would not pack, and Biome would read here, under their real names', () => {
    expect([...files.keys()]).toEqual(expect.arrayContaining(['.gitignore', 'biome.json', '.github/workflows/ci.yaml']))
    expect(files.get('.gitignore')).toContain('node_modules/')
  })

  it('need what only the published package knows', async () => {
    await expect(projectFiles('wine-shop')).rejects.toThrow('known only to the published package')
  })
})
