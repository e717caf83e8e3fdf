import { makeBundle } from './make-bundle.ts'

process.stdout.write(JSON.stringify(await makeBundle()))
