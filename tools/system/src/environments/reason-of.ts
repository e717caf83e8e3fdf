/** The first line of what an error says. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/:?\n[\s\S]*/, '')
}
