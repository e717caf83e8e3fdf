#!/usr/bin/env node
import { keepCompiledCode } from './compiled-code.ts'

keepCompiledCode(process.cwd())
// Only what is loaded from here on is kept.
const { runCommand } = await import('./run-command.ts')
await runCommand(process.argv.slice(2))
