import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, isFreePort } from '@taproom/processes'

/** As many as a suite needs: five brokers, as many proxies, and what controls these. */
const PORTS = 16

/** The first of 16 ports in a row that were free a moment ago. `candidate` gives the ports to look at. */
export async function freePorts(candidate: () => Promise<number> = freePort): Promise<number> {
  for (;;) {
    const first = await candidate()
    const all = await Promise.all(Array.from({ length: PORTS }, (_, index) => isFreePort(first + index)))
    if (all.every(Boolean)) return first
  }
}

/** Ports that tests have written into them, and how far after the first port of the run theirs is. */
export type WrittenPorts = Readonly<Record<number, number>>

/** Replaces the ports in files of tests. */
export async function replacePorts(
  folder: string,
  files: readonly string[],
  { ports, first }: { readonly ports: WrittenPorts; readonly first: number },
): Promise<void> {
  for (const path of files.map((file) => join(folder, file))) {
    const text = await readFile(path, 'utf8')
    const replaced = text.replaceAll(/(?<![\w.])\d{4,5}(?!\w)/g, (number) => {
      const after = ports[Number(number)]
      return after === undefined ? number : String(first + after)
    })
    if (replaced !== text) await writeFile(path, replaced)
  }
}
