import type { Plugin } from 'rolldown'

/** Bundles load these packages from where they are installed: for bundles that run in the work tree. */
export function leftWhereTheyAre(packages: readonly string[]): Plugin {
  const names = packages.map((name) => name.replaceAll(/[^\w@/-]/g, '\\$&')).join('|')
  return {
    name: 'left-where-they-are',
    resolveId: {
      filter: { id: packages.length === 0 ? /^\b$/ : new RegExp(`^(?:${names})(?:/|$)`) },
      async handler(source, importer) {
        const found = await this.resolve(source, importer, { skipSelf: true })
        return found && { id: found.id, external: 'absolute' }
      },
    },
  }
}
