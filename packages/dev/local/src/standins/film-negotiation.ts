/** What the film service can answer with. */
export type Representation = 'json' | 'html'

const mediaTypes: Readonly<Record<Representation, string>> = { json: 'application/json', html: 'text/html' }

/**
 * Chooses the representation as Django REST framework 3.0 does: `?format=` first, then the most specific media ranges of
 * `Accept`, JSON before HTML among equals; quality values are ignored.
 */
export function negotiate(
  accept: string | undefined,
  format: string | null,
): Representation | 'none' | 'unknown-format' {
  if (format !== null) return format === 'json' ? 'json' : format === 'api' ? 'html' : 'unknown-format'
  const ranges = (accept ?? '*/*').split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase())
  for (const specificity of [2, 1, 0]) {
    for (const representation of ['json', 'html'] as const) {
      const fits = (range: string) => specificityOf(range) === specificity && matches(range, mediaTypes[representation])
      if (ranges.some(fits)) return representation
    }
  }
  return 'none'
}

function specificityOf(range: string): number {
  if (range.startsWith('*/')) return 0
  return range.endsWith('/*') ? 1 : 2
}

function matches(range: string, mediaType: string): boolean {
  return range === '*/*' || range === mediaType || (range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1)))
}
