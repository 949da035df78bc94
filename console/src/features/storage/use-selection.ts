import { useState } from 'react'

const none: ReadonlySet<string> = new Set()

/** The selected ids among those that are shown: what a filter hides is not selected. */
export function useSelection(shown: readonly { id: string }[]) {
  const [chosen, setChosen] = useState(none)
  return {
    selected: new Set(shown.flatMap(({ id }) => (chosen.has(id) ? [id] : []))) as ReadonlySet<string>,
    select: (id: string, isSelected: boolean) =>
      setChosen(new Set(isSelected ? [...chosen, id] : [...chosen].filter((other) => other !== id))),
    selectAll: () => setChosen(new Set(shown.map(({ id }) => id))),
    clear: () => setChosen(none),
  }
}
