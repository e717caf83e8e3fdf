export type { NumberOptions, PropertyReader, TextOptions } from './property-reader.ts'
