import { CircleDashed, type LucideIcon, ShieldCheck, ShieldQuestionMark, ShieldX, Sparkles } from 'lucide-react'
import type { CredentialManifest } from '../../api/credentials.ts'
import type { HistoryImage } from './history.ts'
import classes from './state-mark.module.css'

type State = CredentialManifest['state'] | 'none'

const states: Record<State, { text: string; Icon: LucideIcon }> = {
  trusted: { text: 'Trusted', Icon: ShieldCheck },
  valid: { text: 'Valid, unknown signer', Icon: ShieldQuestionMark },
  invalid: { text: 'Invalid', Icon: ShieldX },
  none: { text: 'No Content Credentials', Icon: CircleDashed },
}

export function stateOf({ credentials }: Pick<HistoryImage, 'credentials'>): State {
  return credentials?.state ?? 'none'
}

/** The state of an image as an icon and a word. */
export function StateMark({ image, size = 15 }: { image: Pick<HistoryImage, 'credentials'>; size?: number }) {
  const state = stateOf(image)
  const { text, Icon } = states[state]
  return (
    <span className={classes.mark} data-state={state}>
      <Icon size={size} aria-hidden />
      {text}
    </span>
  )
}

/** Says that a generative model made pixels. */
export function AiMark({ children }: { children: string }) {
  return (
    <span className={classes.mark} data-state="ai">
      <Sparkles size={14} aria-hidden />
      <span className={classes.text}>{children}</span>
    </span>
  )
}
