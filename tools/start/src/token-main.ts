/** `token` of the image of the stand-ins. */
import { printToken } from './commands/token-command.ts'

void printToken(process.argv.slice(2), { root: process.cwd() })
