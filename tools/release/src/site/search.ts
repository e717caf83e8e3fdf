/** Leaves out words without a meaning of their own. The functions here go to the browser as text, and so use nothing outside of them. */
function processTerm(word: string): string | null {
  const isFilling = /^(?:an?|the|in|of|to|is|on|by|for|and|with)$/i.test(word)
  return isFilling ? null : word.toLowerCase()
}

/** Guides come first, decisions and the exports of packages last. */
function boostDocument(id: string): number {
  const parts: Readonly<Record<string, number>> = { guides: 3, packages: 1, tools: 1, apps: 0.8, deploy: 0.8, api: 0.2 }
  return parts[id.split('/')[1] ?? ''] ?? 0.3
}

/** Options of MiniSearch, the site's search: which words it keeps, and how it ranks pages. */
export const SEARCH = {
  options: { processTerm },
  searchOptions: {
    boostDocument,
    boost: { title: 4, text: 1, titles: 2 },
    fuzzy: 0.1,
    prefix: (word: string) => word.length > 2,
  },
} as const
