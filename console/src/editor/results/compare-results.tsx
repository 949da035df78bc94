import { Modal, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { type NodeResult, titleOf } from './node-results.ts'
import classes from './results-strip.module.css'

const Compare = lazyPart(() => import('../../ui/compare.tsx'), 'Compare')

interface Props {
  /** Results of one node, at least two. */
  results: readonly NodeResult[]
  /** The fingerprint of the present result. */
  current: string | undefined
  onClose(): void
}

/** Two results next to each other, first the present one and another. */
export function CompareResults({ results, current, onClose }: Props) {
  useReturnFocus()
  const present = results.find(({ fingerprint }) => fingerprint === current) ?? results[0]
  const [left, setLeft] = useState(present)
  const [right, setRight] = useState(results.find((result) => result !== present))
  if (left === undefined || right === undefined) return null
  return (
    <Modal opened onClose={onClose} title={`Compare results of ${left.node}`} size="xl">
      <div style={{ height: 'min(56dvh, 520px)' }}>
        <Suspense>
          <Compare before={left.previewUrl} after={right.previewUrl} />
        </Suspense>
      </div>
      <div className={classes.sides}>
        <Side name="Left" results={results} chosen={left} onChoose={setLeft} />
        <Side name="Right" results={results} chosen={right} onChoose={setRight} />
      </div>
    </Modal>
  )
}

interface SideProps {
  name: string
  results: readonly NodeResult[]
  chosen: NodeResult
  onChoose(result: NodeResult): void
}

function Side({ name, results, chosen, onChoose }: SideProps) {
  return (
    <fieldset className={classes.side}>
      <Text component="legend" size="sm" fw={600} mt="sm">
        {name}
      </Text>
      <div className={classes.choices}>
        {results.map((result) => (
          <button
            key={result.fingerprint}
            type="button"
            className={classes.use}
            aria-label={titleOf(result)}
            aria-pressed={result.fingerprint === chosen.fingerprint}
            onClick={() => onChoose(result)}
          >
            <img src={result.previewUrl} alt="" loading="lazy" />
          </button>
        ))}
      </div>
    </fieldset>
  )
}
