/** `import type … from`, `export type … from`: gone when the types are stripped. */
const TYPES_ONLY = /\b(?:import|export)\s+type\s+(?:\{[^}]*\}|\*\s*as\s+[\w$]+|[\w$]+)\s*from\s*['"][^'"\n]*['"]/g
/** `from 'x'`, `import 'x'`, `import('x')` and `new URL('./x', import.meta.url)`. */
const IMPORTED =
  /\bfrom\s*['"]([^'"\n]+)['"]|\bimport\s*\(?\s*['"]([^'"\n]+)['"]|\bnew\s+URL\(\s*['"](\.[^'"\n]+)['"]\s*,\s*import\.meta\.url/g

/**
 * What a module imports, also later and by a URL of its own, as far as it says so in a literal. In comments and strings too: a file more that
 * is watched does no harm.
 */
export function importsOf(source: string): readonly string[] {
  const found = source.replaceAll(TYPES_ONLY, '').matchAll(IMPORTED)
  return [...new Set([...found].map(([, from, direct, url]) => from ?? direct ?? url ?? ''))]
}
