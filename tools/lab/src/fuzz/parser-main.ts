/** A process that tries the parsers of one surface and reports findings to its parent. */
import { PARSER_SURFACES } from './parsers/parser-surfaces.ts'
import { runOrder } from './parsers/run-order.ts'

await runOrder(PARSER_SURFACES)
