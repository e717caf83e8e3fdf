/** The package manager that a script of the root may install with. Runs on Node 20 and imports nothing that is installed. */

/** pnpm 11 asks before it replaces an installation of `pnpm start`, and ends where it cannot ask; `.pnpmfile.cjs` stops older versions. */
const PNPM_MAJOR = 12

/**
 * Why this package manager cannot install the repository, with the command that can; undefined for pnpm 12 and later, and for a script that
 * no package manager runs.
 *
 * @param {{ npm_config_user_agent?: string | undefined, npm_lifecycle_event?: string | undefined }} env What the package manager sets
 * @returns {string | undefined}
 */
export function packageManagerProblem({ npm_config_user_agent: agent = '', npm_lifecycle_event: script = 'start' }) {
  const [, name, version] = /^([\w-]+)\/(\d\S*)/.exec(agent) ?? []
  if (name === undefined || (name === 'pnpm' && Number.parseInt(version, 10) >= PNPM_MAJOR)) return undefined
  return `Taproom needs pnpm ${PNPM_MAJOR} and this is ${name} ${version}: run npx -y pnpm@${PNPM_MAJOR} ${script}`
}
