/**
 * Only pnpm 10 and earlier load this file, before every command: they ignore `.pnpmfile.mjs`, and would rewrite the lockfile. Yarn runs it by
 * `.yarnrc.yml`.
 */
process.stderr.write(`Taproom needs pnpm 12: run npx -y pnpm@12 ${process.argv.slice(2).join(' ') || 'install'}\n`)
process.exit(1)
