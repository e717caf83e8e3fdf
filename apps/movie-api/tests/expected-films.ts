export const localFilms = [
  { title: 'A New Hope', releaseDate: '1977-05-25' },
  { title: 'The Empire Strikes Back', releaseDate: '1980-05-17' },
  { title: 'Return of the Jedi', releaseDate: '1983-05-25' },
  { title: 'The Phantom Menace', releaseDate: '1999-05-19' },
  { title: 'Attack of the Clones', releaseDate: '2002-05-16' },
  { title: 'Revenge of the Sith', releaseDate: '2005-05-19' },
]

export const withRemote = localFilms.map((film, index) => ({
  ...film,
  episodeId: 11 + index,
  producer: `Producer ${index + 1}`,
  director: `Director ${index + 1}`,
  opening_crawl: `First line ${index + 1}\r\nsecond line`,
}))

export const withoutRemote = localFilms.map((film) => ({
  ...film,
  episodeId: 0,
  producer: '',
  director: '',
  opening_crawl: '',
}))
