/** The head of a column of codes: `code`, `Error code`, `` `ProxyError` code ``, `` `code` of an error ``. */
const CODE_COLUMN = /^(?:`\w+` |Error )?`?code`?(?: of an error)?$/i

/** The tables of error codes in a README. */
function tablesOf(text: string): readonly string[] {
  const tables = text.match(/(?:^\|.*\|\n)+/gm) ?? []
  return tables.filter((table) => {
    const [head = ''] = table.split('\n', 1)
    return head.split('|').some((cell) => CODE_COLUMN.test(cell.trim()))
  })
}

/** A page of the error codes of all packages, from their READMEs: `pages` has the texts by path on the site. */
export function errorCodesPage(pages: ReadonlyMap<string, string>): string {
  const parts = [...pages].flatMap(([path, text]) => {
    const tables = tablesOf(text)
    return tables.length === 0 ? [] : [`## [${nameOf(path)}](/${path})\n`, ...tables]
  })
  return [
    '# Error codes\n',
    'An error of a package has a `code`, which stays the same when its message changes.\n',
    ...parts,
  ].join('\n')
}

/** `packages/jwt.md` → `jwt` */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1, -'.md'.length)
}
