#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { runCommand } from './command.ts'

/** An optional peer, which the user installs. A compiler and a bundler are not to look for it. */
const REGISTRY: string = '@taproom/schema-registry'

runCommand({
  env: process.env,
  // The same place as seen from `src` and from `dist`.
  version: () => JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version,
  loadRegistry: () => import(REGISTRY),
})
