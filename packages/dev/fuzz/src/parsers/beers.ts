import { BeerError, parseBeer, parsePricedBeer } from '@taproom/beer'
import { jsonValue, knownMembers, objectOf, perhapsBroken } from '../kit/json.ts'
import type { Random } from '../kit/random.ts'
import { JSON_SHAPES, TEXT_SHAPES } from '../kit/shapes.ts'
import { mutateBytes } from '../kit/text.ts'
import type { ParserTarget, Probe } from './parser-target.ts'

const PARSERS: readonly ((json: string | Uint8Array) => unknown)[] = [parseBeer, parsePricedBeer]
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  name: ['"Dog D"', '""', '"\\ud800"'],
  tagline: ['"A beer."', 'null'],
  abv: ['15.1', '0', '1e308', '-1', 'null'],
  price: ['12.5', '0.005', '1e15', '-0', '90071992547409.91'],
}

/** Beers and priced beers as consumers get them from Kafka. */
export async function openBeers(): Promise<ParserTarget> {
  const probe = (parse: (typeof PARSERS)[number], bytes: Buffer): Probe => ({
    run: () => parse(bytes),
    text: () => `${parse.name} ${bytes.toString('latin1')}`,
  })
  return {
    shapes: PARSERS.flatMap((parse) => [
      ...JSON_SHAPES.flatMap(({ name, make }) => [
        { name: `${parse.name}: ${name}`, make: () => probe(parse, Buffer.from(make())) },
        {
          name: `${parse.name}, a member: ${name}`,
          make: () => probe(parse, Buffer.from(`{"name":"a","price":1,"x":${make()}}`)),
        },
      ]),
      ...TEXT_SHAPES.map(({ name, make }) => ({
        name: `${parse.name}, the name: ${name}`,
        make: () => probe(parse, Buffer.from(JSON.stringify({ name: make(), price: 1 }))),
      })),
    ]),
    input: (random: Random) => {
      const json = random.chance(0.9) ? objectOf(knownMembers(random, MEMBERS)) : jsonValue(random)
      const bytes = Buffer.from(perhapsBroken(random, json))
      return probe(random.pick(PARSERS), random.chance(0.1) ? mutateBytes(random, bytes) : bytes)
    },
    isOwn: (error) => error instanceof BeerError,
  }
}
