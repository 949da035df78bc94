/** Loads the palette when it is first opened. */

import { Suspense } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { lazyPart } from '../lazy-part.ts'
import { holdKeys, takeHeldKeys } from './held-keys.ts'

/** Loads the script only, for example on hover. */
export const loadPalette = () => import('./palette.tsx')

const Palette = lazyPart(loadPalette, 'Palette')

/** How often the palette was opened. */
const opened = createStore<{ times: number }>(() => ({ times: 0 }))

export function openPalette(): void {
  if (opened.getState().times === 0) {
    holdKeys()
    loadPalette().catch(takeHeldKeys)
  }
  opened.setState(({ times }) => ({ times: times + 1 }))
}

export function LazyPalette() {
  const times = useStore(opened, (state) => state.times)
  return <Suspense>{times > 0 && <Palette times={times} />}</Suspense>
}
