/** The anchor of a heading as GitHub makes it, so that links within READMEs lead to the same place on the site. */
export function anchorOf(heading: string): string {
  const letters = heading.trim().toLowerCase()
  return letters.replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '').replaceAll(' ', '-')
}
