#!/usr/bin/env node
import { runCommand } from '@taproom/embedded-kafka/command'
import manifest from '@taproom/embedded-kafka/package.json' with { type: 'json' }

runCommand({
  env: process.env,
  version: () => manifest.version,
  loadRegistry: () => import('@taproom/schema-registry'),
})
