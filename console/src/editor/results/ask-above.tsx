/** A question before a run that can cost more than the person of this browser chose. */

import { useLocalStorage } from '@mantine/hooks'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import { canExceed, free, type Price, unknown } from './price.ts'

const AskDialog = lazyPart(() => import('./ask-dialog.tsx'), 'AskDialog')

/** US dollars, until the person chooses. */
const defaultLimit = 1

/** `above`: US dollars; null never asks. */
export function useAskAbove() {
  const [chosen, setAbove] = useLocalStorage<number | null | undefined>({
    key: 'tintype:ask-above',
    defaultValue: undefined,
    getInitialValueInEffect: false,
  })
  return { above: chosen === undefined ? defaultLimit : chosen, isChosen: chosen !== undefined, setAbove }
}

export interface Question {
  price: Price
  run(): void
}

export interface AskBeforeRun {
  /** Runs immediately, or after the question. */
  ask(price: () => Price | Promise<Price>, run: () => void): void
  dialog: ReactNode
}

export function useAskBeforeRun(): AskBeforeRun {
  const { above, isChosen } = useAskAbove()
  const [question, setQuestion] = useState<Question>()
  /** A second press of the shortcut must not start a second run. */
  const isWaiting = useRef(false)
  const askIfAbove = async (priceOf: () => Price | Promise<Price>, run: () => void) => {
    if (isWaiting.current) return
    isWaiting.current = true
    const price = above === null ? free : await Promise.resolve(priceOf()).catch(() => unknown)
    isWaiting.current = false
    // With models whose price is never known, each run would ask.
    if (canExceed(above, price, isChosen)) setQuestion({ price, run })
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
