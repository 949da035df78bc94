/** The URL parameters of the versions page: the two sides of the comparison. */
export type Side = number | 'draft'

export interface VersionsSearch {
  from?: Side
  to?: Side
}

export function versionsSearch({ from, to }: Record<string, unknown>): VersionsSearch {
  const [before, after] = [sideOf(from), sideOf(to)]
  return { ...(before === undefined ? {} : { from: before }), ...(after === undefined ? {} : { to: after }) }
}

function sideOf(value: unknown): Side | undefined {
  if (value === 'draft') return value
  const version = Number(value)
  return Number.isInteger(version) && version > 0 ? version : undefined
}
