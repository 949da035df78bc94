import { useMediaQuery } from '@mantine/hooks'

const narrow = '(max-width: 820px)'

/** Whether the editor has no space for panels next to each other. */
export function isNarrow(): boolean {
  return window.matchMedia(narrow).matches
}

export function useIsNarrow(): boolean {
  return useMediaQuery(narrow, undefined, { getInitialValueInEffect: false })
}

/** Whether the pointer is a finger. */
export function isTouch(): boolean {
  return window.matchMedia('(pointer: coarse)').matches
}
