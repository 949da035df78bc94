import { ActionIcon, Box, CopyButton, Tooltip } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { useMemo } from 'react'
import classes from './code-block.module.css'
import { pieces } from './highlight.ts'
import type { Language } from './snippets.ts'

/** Code with a copy button. */
export function CodeBlock({ text, language, label }: { text: string; language: Language; label: string }) {
  const parts = useMemo(() => pieces(text, language), [text, language])
  return (
    <Box className={classes.block}>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'} position="left">
            <ActionIcon
              className={classes.copy ?? ''}
              variant="default"
              size="lg"
              aria-label={copied ? 'Copied' : `Copy ${label}`}
              onClick={copy}
            >
              {copied ? <Check size={16} /> : <Copy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll */}
      <section className={classes.scroll} tabIndex={0} aria-label={label}>
        <pre className={classes.text}>
          <code>
            {parts.map(({ text, kind }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key
              <span key={index} data-kind={kind}>
                {text}
              </span>
            ))}
          </code>
        </pre>
      </section>
    </Box>
  )
}
