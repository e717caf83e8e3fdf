import { BeerError, parseBeer, parsePricedBeer } from '@taproom/beer'
import { jsonValue, type KnownMembers, knownObject, perhapsBroken } from '../kit/json.ts'
import { inPlaces, JSON_SHAPES, TEXT_SHAPES } from '../kit/shapes.ts'
import { mutateBytes } from '../kit/text.ts'
import type { ParserTarget, Probe } from './parser-target.ts'

const PARSERS: readonly ((json: string | Uint8Array) => unknown)[] = [parseBeer, parsePricedBeer]
const MEMBERS: KnownMembers = {
  name: ['"Dog D"', '""', '"\\ud800"'],
  tagline: ['"A beer."', 'null'],
  abv: ['15.1', '0', '1e308', '-1', 'null'],
  price: ['12.5', '0.005', '1e15', '-0', '90071992547409.91'],
}

/** Beers and priced beers as consumers get them from Kafka. */
export async function openBeers(): Promise<ParserTarget> {
  const probe = (parse: (typeof PARSERS)[number], json: string | Buffer): Probe => {
    const bytes = Buffer.from(json as string)
    return { run: () => parse(bytes), text: () => `${parse.name} ${bytes.toString('latin1')}` }
  }
  return {
    shapes: PARSERS.flatMap((parse) => [
      ...inPlaces(JSON_SHAPES, {
        [parse.name]: (json) => probe(parse, json),
        [`${parse.name}, a member`]: (json) => probe(parse, `{"name":"a","price":1,"x":${json}}`),
      }),
      ...inPlaces(TEXT_SHAPES, {
        [`${parse.name}, the name`]: (name) => probe(parse, JSON.stringify({ name, price: 1 })),
      }),
    ]),
    input: (random) => {
      const json = random.chance(0.9) ? knownObject(random, MEMBERS) : jsonValue(random)
      const bytes = Buffer.from(perhapsBroken(random, json))
      return probe(random.pick(PARSERS), random.chance(0.1) ? mutateBytes(random, bytes) : bytes)
    },
    isOwn: (error) => error instanceof BeerError,
  }
}
