/** `import type … from`, `export type … from`: gone when the types are stripped. */
const TYPES_ONLY = /\b(?:import|export)\s+type\s+(?:\{[^}]*\}|\*\s*as\s+[\w$]+|[\w$]+)\s*from\s*['"][^'"\n]*['"]/g
/** `from 'x'`, `import 'x'`, `import('x')` and `new URL('./x', import.meta.url)`. */
const IMPORTED =
  /\bfrom\s*['"]([^'"\n]+)['"]|\bimport\s*\(?\s*['"]([^'"\n]+)['"]|\bnew\s+URL\(\s*['"](\.[^'"\n]+)['"]\s*,\s*import\.meta\.url/g

/**
 * Lists the imports of a module, also later ones and those by a URL of its own, as far as they are literals. In comments and strings too: a
 * file more that is watched does no harm.
 */
export function importsOf(source: string): readonly string[] {
  const found = source.replaceAll(TYPES_ONLY, '').matchAll(IMPORTED)
  return [...new Set([...found].map(([, from, direct, url]) => from ?? direct ?? url ?? ''))]
}

/** `import … from 'x'`, `export … from 'x'` and `import 'x'`, where a line begins. */
const AT_LOAD = /^\s*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"\n]+)['"]/gm
/** A module of its own that is imported for what it does: it may have to come before any package. */
const FOR_EFFECT = /^\s*import\s*['"]\./m

/**
 * The packages that modules import when they are loaded, but none when a module imports one of its own for its effect alone, which packages
 * may depend on.
 */
export function packagesOf(sources: readonly string[]): readonly string[] {
  if (sources.some((source) => FOR_EFFECT.test(source))) return []
  const found = sources.flatMap((source) => [...source.replaceAll(TYPES_ONLY, '').matchAll(AT_LOAD)])
  return [...new Set(found.map(([, specifier = '']) => specifier).filter((specifier) => /^[^.#]/.test(specifier)))]
}
