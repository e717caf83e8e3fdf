/** `node scripts/executable.ts FOLDER` writes the command as an executable for this platform into the folder. */
import { mkdir } from 'node:fs/promises'
import { buildExecutable } from '../src/build-executable.ts'

const [folder = 'dist'] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
process.stdout.write(`${await buildExecutable(folder)}\n`)
