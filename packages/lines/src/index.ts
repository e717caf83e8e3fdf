export { countHidden, jsonLine, safeJson, visible, visibleLines } from './hidden-characters.ts'
export { createLineSplitter, type LineSplitterOptions, readLines } from './line-splitter.ts'
export { createLogWindow } from './log-window.ts'
export { type ReadableLineOptions, readableLine } from './readable-line.ts'
