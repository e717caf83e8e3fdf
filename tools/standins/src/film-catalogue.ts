import type { RecordShape, ShapedRecord } from './standin-data.ts'

/** Members of a film that the lookup reads. */
export const FILM_SHAPE = {
  title: 'string',
  episode_id: 'integer',
  opening_crawl: 'string',
  director: 'string',
  producer: 'string',
  release_date: 'string',
} as const satisfies RecordShape

/** A film of the remote film service; its id is its position in the list, counted from 1. */
export type RemoteFilm = ShapedRecord<typeof FILM_SHAPE>

function film(
  episodeId: number,
  title: string,
  people: { readonly director: string; readonly producer: string },
  releaseDate: string,
  crawl: readonly string[],
): RemoteFilm {
  return {
    title,
    episode_id: episodeId,
    opening_crawl: crawl.join('\r\n'),
    director: people.director,
    producer: people.producer,
    release_date: releaseDate,
    // The real service has further members, which clients ignore.
    characters: [],
    created: '2024-01-15T12:00:00.000000Z',
  }
}

/** Six invented films; as at the real service, the position is not the episode. */
export const FILM_CATALOGUE: readonly RemoteFilm[] = [
  film(4, 'The First Keg', { director: 'Ingrid Malthouse', producer: 'Otto Kessler, Rana Vale' }, '1977-05-25', [
    'The taps of the outer moons',
    'have run dry. In a cellar below',
    'the old observatory, an apprentice',
    'finds a keg that was never tapped.',
    '',
    'Its label bears one word:',
    'tomorrow….',
  ]),
  film(5, 'The Brewers Strike', { director: 'Tomas Okonjo', producer: 'Otto Kessler' }, '1980-05-17', [
    'It is a cold season for the guild.',
    'Driven from their copper halls, the',
    'brewers hide among the ice fields,',
    'where even yeast refuses to work.',
  ]),
  film(6, 'Return of the Barrel', { director: 'Mirela Sandu', producer: 'Howard Quill' }, '1983-05-25', [
    'The barrel has come home, but it',
    'is empty. Somewhere between the',
    'stars, someone drank the evidence.',
    '',
    'The last inspector sets out….',
  ]),
  film(1, 'The Silent Foam', { director: 'Ingrid Malthouse', producer: 'Rana Vale' }, '1999-05-19', [
    'A tax on barley has brought trade',
    'to a halt. While the council counts',
    'its grain, two envoys travel to a',
    'town that has forgotten thirst.',
  ]),
  film(2, 'March of the Coopers', { director: 'Ingrid Malthouse', producer: 'Rana Vale' }, '2002-05-16', [
    'Ten thousand coopers, all with the',
    'same face and the same hammer, wait',
    'in the rain for an order that',
    'nobody remembers giving.',
  ]),
  film(3, 'Revenge of the Hops', { director: 'Ingrid Malthouse', producer: 'Rana Vale' }, '2005-05-19', [
    'Harvest! The vines have grown over',
    'the capital, and their bitterness',
    'knows no measure.',
    '',
    'In a daring move the gardener has',
    'taken the chancellor hostage….',
  ]),
]
