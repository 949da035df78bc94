/** A question before a run that costs more than the person of this browser chose. */

import { useLocalStorage } from '@mantine/hooks'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { Price } from './price.ts'

const AskDialog = lazyPart(() => import('./ask-dialog.tsx'), 'AskDialog')

/** US dollars; null never asks. */
export function useAskAbove() {
  return useLocalStorage<number | null>({ key: 'tintype:ask-above', defaultValue: 1, getInitialValueInEffect: false })
}

export interface Question {
  price: Price
  run(): void
}

export interface AskBeforeRun {
  /** Runs immediately, or after the question. A run whose price is unknown is not asked for. */
  ask(price: () => Price | Promise<Price>, run: () => void): void
  dialog: ReactNode
}

export function useAskBeforeRun(): AskBeforeRun {
  const [above] = useAskAbove()
  const [question, setQuestion] = useState<Question>()
  /** A second press of the shortcut must not start a second run. */
  const isWaiting = useRef(false)
  const askIfAbove = async (priceOf: () => Price | Promise<Price>, run: () => void) => {
    if (isWaiting.current) return
    isWaiting.current = true
    // A run that can't be forecast is started: its response has the problems.
    const price = above === null ? undefined : await Promise.resolve(priceOf()).catch(() => undefined)
    isWaiting.current = false
    if (price !== undefined && price.usd > (above ?? 0)) setQuestion({ price, run })
    else run()
  }
  return {
    ask: (price, run) => void askIfAbove(price, run),
    dialog: question && (
      <Suspense>
        <AskDialog question={question} above={above ?? 0} onClose={() => setQuestion(undefined)} />
      </Suspense>
    ),
  }
}
