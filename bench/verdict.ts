/** Whether a value is what is aimed at, in a word. */

export type Section = (title: string, rows: string[][]) => void

export function atMost(value: number, goal: number): string {
  return `<= ${goal}: ${value <= goal ? 'met' : 'MISSED'}`
}

export function atLeast(value: number, goal: number): string {
  return `>= ${goal}: ${value >= goal ? 'met' : 'MISSED'}`
}
