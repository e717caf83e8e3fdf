import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** For `pnpm pack` alone: what of a package.json is for this repository only is not in what is packed. */
export const hooks = { beforePacking: publishedManifest }

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))

/** That no package goes out by another way, all are private here. */
const OURS = ['private', 'devDependencies', 'scripts']

/** The manifest as users get it: compiled code only, and in the hosted workflow where it was built, which provenance needs. */
export function publishedManifest(manifest, folder, _context, env = process.env) {
  const published = Object.fromEntries(Object.entries(manifest).filter(([field]) => !OURS.includes(field)))
  // `pack` puts the change log beside it.
  if (manifest.files) published.files = [...manifest.files, 'CHANGELOG.md']
  // The templates of a package import what the package needs or is developed with.
  if (manifest.files?.includes('templates')) {
    published.templateDependencies = { ...manifest.dependencies, ...manifest.devDependencies }
  }
  const { bundled, optionalPeers, ...publishConfig } = manifest.publishConfig ?? {}
  if (bundled) {
    // Its sources need it, what is compiled has it inside.
    const needed = Object.entries(manifest.dependencies).filter(([name]) => !bundled.includes(name))
    Object.assign(published, { publishConfig, dependencies: Object.fromEntries(needed) })
  }
  if (optionalPeers) {
    // Not in the workspace itself: what they need is tested with this one, which would be a circle.
    published.publishConfig = publishConfig
    published.peerDependencies = Object.fromEntries(optionalPeers.map((name) => [name, `^${manifest.version}`]))
    published.peerDependenciesMeta = Object.fromEntries(optionalPeers.map((name) => [name, { optional: true }]))
  }
  if (manifest.imports) published.imports = compiled(manifest.imports)
  published.exports = { ...compiled(manifest.exports ?? {}), './package.json': './package.json' }
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env
  if (server && repository) {
    const directory = relative(REPOSITORY, folder)
    published.repository = { type: 'git', url: `git+${server}/${repository}.git`, directory }
  }
  return published
}

/** Without the condition `development`, which bundlers set, too, and without targets that are sources or tests. */
function compiled(targets) {
  return Object.fromEntries(
    Object.entries(targets).flatMap(([name, target]) => {
      if (name === 'development' || (typeof target === 'string' && /^\.\/(?:src|tests)\//.test(target))) return []
      return [[name, typeof target === 'string' ? target : compiled(target)]]
    }),
  )
}
