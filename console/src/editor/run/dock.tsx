import { ActionIcon, Tooltip } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { PanelBottom, PanelRight } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { Grip } from '../../ui/grip.tsx'
import { useIsNarrow } from '../../ui/screen.ts'
import classes from './run-panel.module.css'

interface DockPlace {
  side: 'bottom' | 'right'
  /** Pixels. Undefined: it depends on the window. */
  height?: number
  /** Pixels. */
  width: number
}

const initial: DockPlace = { side: 'bottom', width: 440 }
const sizeMin = { height: 180, width: 320 } as const

/** The place of the run panel, which the browser remembers. On a narrow screen it is always below. */
function useDockPlace() {
  const [place, setPlace] = useLocalStorage({
    key: 'tintype-run-panel',
    defaultValue: initial,
    getInitialValueInEffect: false,
  })
  const isNarrow = useIsNarrow()
  const side = isNarrow ? 'bottom' : place.side
  return { ...place, side, isNarrow, change: (change: Partial<DockPlace>) => setPlace({ ...place, ...change }) }
}

/** The frame of the run panel: below the canvas or on its right, with a size that can be dragged. */
export function Dock({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const { side, height, width, isNarrow, change } = useDockPlace()
  const heightNow = height ?? Math.min(340, Math.round(window.innerHeight * 0.44))
  const isRight = side === 'right'
  const maximum = { width: Math.round(window.innerWidth * 0.6), height: Math.round(window.innerHeight * 0.7) }
  const [value, name] = isRight ? [width, 'width' as const] : [heightNow, 'height' as const]
  const size = isNarrow
    ? {}
    : { '--dock-width': `${width}px`, ...(height === undefined ? {} : { '--dock-height': `${height}px` }) }
  return (
    <>
      {isOpen && !isNarrow && (
        <Grip
          label={`${isRight ? 'Width' : 'Height'} of the run panel`}
          axis={isRight ? 'x' : 'y'}
          value={value}
          min={sizeMin[name]}
          max={maximum[name]}
          onChange={(next) => change({ [name]: next })}
        />
      )}
      <section
        className={classes.panel}
        aria-label="Run"
        data-dock={isOpen ? side : undefined}
        style={size as CSSProperties}
      >
        {children}
      </section>
    </>
  )
}

/** Moves the run panel to the other side. */
export function DockSide() {
  const { side, isNarrow, change } = useDockPlace()
  if (isNarrow) return null
  const [next, label, Icon] =
    side === 'right'
      ? (['bottom', 'Show the run panel below', PanelBottom] as const)
      : (['right', 'Show the run panel on the right', PanelRight] as const)
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={() => change({ side: next })}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  )
}
