/** The part of a CycloneDX bill of materials that is read here. */
export interface BillOfMaterials {
  readonly components: Component[]
}

/** A package of the bill; `type` and `purl` are what scanners go by. */
export interface Component {
  readonly type?: 'library'
  /** The scope of a scoped package. */
  readonly group?: string
  readonly name: string
  readonly version?: string
  readonly purl?: string
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string }
    readonly expression?: string
  }[]
}

/** SPDX ids of the licences that an image may hold: they ask for no more than to be named. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
])

/** The components of a bill by licence, and those without an allowed one. */
export interface LicenseReport {
  readonly byLicense: ReadonlyMap<string, readonly string[]>
  readonly refused: readonly string[]
}

/** Sorts the components of a bill by licence. One with several needs all of them allowed; an expression is taken word for word. */
export function reportLicenses({ components }: BillOfMaterials): LicenseReport {
  const byLicense = new Map<string, string[]>()
  const refused: string[] = []
  for (const { group, name, version = '', licenses = [] } of components) {
    const ids = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? 'unknown')
    const component = `${group === undefined ? name : `${group}/${name}`}@${version}`
    for (const id of ids) byLicense.set(id, [...(byLicense.get(id) ?? []), component])
    if (ids.length === 0) refused.push(`${component}: no licence`)
    for (const id of ids) if (!ALLOWED.has(id)) refused.push(`${component}: ${id}`)
  }
  return { byLicense, refused }
}
