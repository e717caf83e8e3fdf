/** Of ELF's header for 64 bits, where it says which parts are loaded (program headers) and which sections there are. */
const PROGRAMS_AT = 32
const SECTIONS_AT = 40
const PROGRAM_SIZE = 54
const PROGRAM_COUNT = 56
const SECTION_COUNT = 60
const SECTION_NAMES = 62

/**
 * An executable for Linux without what only debuggers read: symbols and debugging sections lie behind all that is loaded. What is linked at
 * run time has its own table among what is loaded, so that addons and stacks of Node are as before.
 *
 * @throws {RangeError} when it is not a little-endian ELF file of 64 bits
 */
export function withoutSymbols(elf: Buffer): Buffer {
  if (elf.toString('latin1', 0, 6) !== '\x7fELF\x02\x01')
    throw new RangeError('it is no little-endian ELF file of 64 bits')
  const programsAt = Number(elf.readBigUInt64LE(PROGRAMS_AT))
  const [size, count] = [elf.readUInt16LE(PROGRAM_SIZE), elf.readUInt16LE(PROGRAM_COUNT)]
  const ends = Array.from({ length: count }, (_, index) => {
    const program = programsAt + index * size
    return Number(elf.readBigUInt64LE(program + 8) + elf.readBigUInt64LE(program + 32))
  })
  const loaded = Buffer.from(elf.subarray(0, Math.max(...ends, programsAt + count * size)))
  loaded.writeBigUInt64LE(0n, SECTIONS_AT)
  loaded.writeUInt16LE(0, SECTION_COUNT)
  loaded.writeUInt16LE(0, SECTION_NAMES)
  return loaded
}
