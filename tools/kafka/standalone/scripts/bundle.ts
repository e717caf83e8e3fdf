/** `node scripts/bundle.ts` bundles the command with everything that it needs into one file, `dist/main.js`, for the image. */
import { bundleCommand } from '../src/bundle-command.ts'

await bundleCommand('dist/main.js', 'esm')
