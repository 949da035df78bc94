import { type ReactNode, Suspense } from 'react'
import { lazyPart } from './lazy-part.ts'
import { usePopup } from './use-popup.ts'

const load = () => import('./menu-rows.tsx')
const MenuRows = lazyPart(load, 'MenuRows')

export interface MenuRow {
  title: string
  /** A heading, if it is missing. */
  onClick?: () => void
  icon?: ReactNode
  /** Dimmed text at the end. */
  note?: string
  isOff?: boolean
}

/** Mantine's menu. */
export interface MenuPlace {
  position: 'bottom-start' | 'bottom-end'
  returnFocus: boolean
}

interface Props extends MenuPlace {
  /** The id of the button. */
  id?: string
  rows: readonly MenuRow[]
  button(props: ReturnType<typeof usePopup>['buttonProps']): ReactNode
}

export function LazyMenu({ id, rows, button, ...place }: Props) {
  const { popup, isRendered, buttonProps } = usePopup({ kind: 'menu', load, ...(id === undefined ? {} : { id }) })
  return (
    <>
      {button(buttonProps)}
      {isRendered && (
        <Suspense>
          <MenuRows popup={popup} rows={rows} {...place} />
        </Suspense>
      )}
    </>
  )
}
