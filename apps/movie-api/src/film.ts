/** As stored in the database. */
export interface LocalFilm {
  readonly id: number
  readonly title: string
  /** `YYYY-MM-DD`. */
  readonly releaseDate: string
}

/** The part that the remote film service adds. */
export interface RemoteFilm {
  readonly episodeId: number
  readonly producer: string
  readonly director: string
  readonly openingCrawl: string
}

/** One element of the answer; names are the contract's. */
export interface Movie {
  readonly title: string
  readonly releaseDate: string
  readonly episodeId: number
  readonly producer: string
  readonly director: string
  readonly opening_crawl: string
}
