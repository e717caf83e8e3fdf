import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { startBeerStandin, startFilmStandin } from '../src/index.ts'

const DEPLOY = new URL('../../../deploy/', import.meta.url)
const read = (file: string) => readFile(new URL(file, DEPLOY), 'utf8')
const compose = await read('compose.yaml')

describe.each([
  { name: 'film-standin', start: startFilmStandin, basePath: '/api', manifest: '100-film-standin.yaml' },
  { name: 'beer-standin', start: startBeerStandin, basePath: '/v2', manifest: '200-beer-standin.yaml' },
])('the probes of $name', ({ start, basePath, manifest }) => {
  it('get 200, from compose and on a cluster', async () => {
    await using standin = await start()
    const inCompose = Array.from(compose.matchAll(/"http:\/\/127\.0\.0\.1:8080(\/[^"]*)"/g), ([, path = '']) => path)
    const onCluster = /^ +path: (\S+)$/m.exec(await read(`kubernetes/components/standins/${manifest}`))?.[1] ?? ''
    const probed = [...inCompose, onCluster].filter((path) => path.startsWith(`${basePath}/`))
    expect(probed).toHaveLength(2)
    for (const path of probed) {
      expect((await fetch(new URL(path, standin.url))).status, path).toBe(200)
    }
  })
})
