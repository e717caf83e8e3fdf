/** The JSON line by which a program says that it is ready, and on which port. */
export interface ReadyLine {
  /** `<name> ready`, or `ready` alone. */
  readonly msg: string
  readonly port: number
  readonly [field: string]: unknown
}

/** The fields of a ready line of the program `name` (default: of any); undefined for any other line. */
export function parseReadyLine(line: string, name?: string): ReadyLine | undefined {
  if (!line.includes(name === undefined ? 'ready"' : `${name} ready"`)) return undefined
  try {
    const entry: Partial<ReadyLine> | null = JSON.parse(line)
    if (typeof entry?.msg !== 'string' || !isPort(entry.port)) return undefined
    const isReady = name === undefined ? /(?:^| )ready$/.test(entry.msg) : entry.msg === `${name} ready`
    return isReady ? (entry as ReadyLine) : undefined
  } catch {
    return undefined
  }
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535
}
