import type { RecordShape, ShapedRecord } from './standin-data.ts'

/** Members of a beer that the beer list reads. */
export const BEER_SHAPE = {
  id: 'integer',
  name: 'string',
  tagline: 'string',
  abv: 'number',
} as const satisfies RecordShape

/** A beer of the remote beer service; `abv` is its alcohol by volume in percent. */
export type RemoteBeer = ShapedRecord<typeof BEER_SHAPE>

const INVENTED: readonly (readonly [name: string, tagline: string, abv: number])[] = [
  ['Copper Lantern', 'Amber Ale For Late Trains.', 4.8],
  ['Nordøst', 'Pale Ale With A Sea View.', 5.2],
  ['Quiet Kölsch', 'Crisp, Clear, Unhurried.', 4.9],
  ["Miller's Mistake", 'A Stout That Was Meant To Be A Porter.', 6.1],
  ['Iron Orchard', 'Barley Wine Aged In Cider Casks.', 15.4],
  ['Paper Moon', 'Session Wheat. Orange & Coriander.', 3.6],
  ['Second Breakfast', 'Oatmeal Stout.', 5.8],
  ['Deep Cellar', 'Eisbock, Frozen Twice.', 22.5],
  ['Fence Post', 'Plain Bitter, Well Kept.', 3.9],
  ['The Long Way Home', 'Double IPA. Pine, Resin, Grapefruit.', 8.7],
  ['Old Provost', 'Strong Ale Exactly On The Line.', 15],
  ['Kettle Sour No. 3', 'Tart, Pink, Gone Too Soon.', 4.1],
  ['Ångström', 'The Smallest Beer We Make.', 0.9],
  ['Ropewalk', 'Best Bitter.', 4.4],
  ['Half A Harvest', 'Wet Hop IPA, Once A Year.', 6.6],
  ['Blackwater Quad', 'Belgian Quadrupel Of Uncommon Patience.', 11.2],
  ['Night Ferry', 'Baltic Porter.', 9],
  ['Tin Whistle', 'Irish Red.', 4.3],
  ['Caretaker', 'Imperial Stout, Three Years In Oak.', 17.8],
  ['Slow Tram', 'Unfiltered Lager.', 4.7],
  ['Salt Road', 'Gose, Sea Salt, Lime.', 4.2],
  ['Under The Arches', 'London Porter.', 5.4],
  ['Thirty-Nine Steps', 'Scotch Ale – Smoked Malt.', 7.3],
  ['Gardener’s Truce', 'Saison With Thyme.', 6.2],
  ['Cloud Ledger', 'Hazy IPA.', 6.5],
  ['Winter Solicitor', 'Spiced Old Ale.', 8.1],
  ['Bramble Court', 'Blackberry Lambic.', 5.6],
  ['Plumb Line', 'Pilsner, Nothing Added.', 4.9],
  ['Ninth Wave', 'Triple IPA Of Little Mercy.', 13.6],
  ['Museum Piece', 'Reconstructed Gruit, No Hops At All.', 5.1],
  ['Last Bell', 'Ice-Distilled Barley Wine.', 31],
  ['Footnote', 'Table Beer.* (*Very Small.)', 2.8],
  ['Harbour Light', 'Extra Pale.', 4],
  ['Good "Enough" Bitter', 'Modest By Design.', 4.2],
  ['Marzipan & Smoke', 'Rauchbier, Almond, Regret.', 5.9],
  ['Understudy', 'Alcohol-Free IPA.', 0.5],
]

/** Invented beers in id order: four above 15 percent, one with exactly 15, and names that test escaping. */
export const BEER_CATALOGUE: readonly RemoteBeer[] = INVENTED.map(([name, tagline, abv], index) => ({
  id: index + 1,
  name,
  tagline,
  first_brewed: `${String((index % 12) + 1).padStart(2, '0')}/${2008 + (index % 9)}`,
  description: `An invented beer: ${tagline}`,
  image_url: null,
  abv,
  ibu: 12 + ((index * 7) % 60),
  volume: { value: 20, unit: 'litres' },
  boil_volume: { value: 25, unit: 'litres' },
  food_pairing: [],
  brewers_tips: '',
  contributed_by: 'Taproom',
}))
