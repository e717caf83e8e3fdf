/** The line of JSON on which a program says that it is ready, and where. */
export interface ReadyLine {
  /** `<name> ready`, or `ready` alone. */
  readonly msg: string
  readonly port: number
  readonly [field: string]: unknown
}

/** The fields of a line if it is a ready line: of the program `name`, or of any without one. */
export function parseReadyLine(line: string, name?: string): ReadyLine | undefined {
  if (!line.includes(name === undefined ? 'ready"' : `${name} ready"`)) return undefined
  try {
    const entry: Partial<ReadyLine> | null = JSON.parse(line)
    if (typeof entry?.msg !== 'string' || typeof entry.port !== 'number') return undefined
    const isReady = name === undefined ? /(?:^| )ready$/.test(entry.msg) : entry.msg === `${name} ready`
    return isReady ? (entry as ReadyLine) : undefined
  } catch {
    return undefined
  }
}
