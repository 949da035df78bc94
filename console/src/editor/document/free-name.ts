/** Returns `preferred`, or `preferred-2`, `preferred-3`, ... if it is taken. A name has at most 64 characters. */
export function freeName(preferred: string, isTaken: (name: string) => boolean): string {
  let name = preferred
  for (let count = 2; isTaken(name) && count < 1000; count++) name = `${preferred.slice(0, 60)}-${count}`
  return name
}
