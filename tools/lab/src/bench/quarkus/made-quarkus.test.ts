import { chmod, mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LeftOutError } from '../area.ts'
import { makeQuarkus } from './made-quarkus.ts'

/** A program in Maven's place: the script is what it does when it is asked to make something. */
async function workplace(opened: AsyncDisposableStack, script: string) {
  const { path } = opened.use(await mkdtempDisposable(join(tmpdir(), 'bench-made-')))
  const [cache, sources, maven] = [join(path, 'cache'), join(path, 'sources'), join(path, 'maven')]
  await mkdir(join(sources, 'claim'), { recursive: true })
  await writeFile(join(sources, 'claim', 'pom.xml'), '<project/>')
  const version = 'Java version: 17.0.1, vendor: Somebody, runtime: /opt/java'
  await writeFile(maven, `#!/bin/sh\ncase "$*" in *--version*) echo '${version}' ;; *) ${script} ;; esac\n`)
  await chmod(maven, 0o755)
  return { cache, sources, maven }
}

describe('makeQuarkus', () => {
  it('says that there is no Maven', async () => {
    const made = makeQuarkus({ maven: 'no-such-maven' })
    await expect(made).rejects.toThrow(LeftOutError)
    await expect(made).rejects.toThrow('there is no no-such-maven')
  })

  it('says what a Maven lacks that is there', async () => {
    await using opened = new AsyncDisposableStack()
    const { path } = opened.use(await mkdtempDisposable(join(tmpdir(), 'bench-made-')))
    const maven = join(path, 'maven')
    await writeFile(maven, '#!/bin/sh\necho "settings.xml: ENOENT" >&2\nexit 1\n')
    await chmod(maven, 0o755)
    await expect(makeQuarkus({ maven })).rejects.toThrow(new LeftOutError('settings.xml: ENOENT'))
  })

  it('says in one line what Maven could not do, and leaves nothing behind', async () => {
    await using opened = new AsyncDisposableStack()
    const script = 'echo "[ERROR] Could not transfer artifact"; echo "[ERROR] Help 1"; exit 1'
    const place = await workplace(opened, script)
    const made = makeQuarkus(place)
    await expect(made).rejects.toThrow(LeftOutError)
    await expect(made).rejects.toThrow(/^Maven could not make Quarkus: Could not transfer artifact$/)
    expect(await readdir(place.cache)).toEqual([])
  })

  it('makes it once for the same sources, with the Java that Maven has', async () => {
    await using opened = new AsyncDisposableStack()
    const place = await workplace(opened, 'mkdir -p claim/target/quarkus-app; date +%N > claim/target/quarkus-app/made')
    const stamp = async () => {
      const { java, folderOf } = await makeQuarkus(place)
      expect(java).toBe('/opt/java/bin/java')
      return await readFile(join(folderOf('claim'), 'made'), 'utf8')
    }
    const first = await stamp()
    expect(await stamp()).toBe(first)
    await writeFile(join(place.sources, 'claim', 'pom.xml'), '<project></project>')
    expect(await stamp()).not.toBe(first)
  })
})
