import { Group, Select, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { keyOf, outputsOf, titleOf } from '../api/outputs.ts'
import type { Execution } from '../api/types.ts'
import classes from './comparison.module.css'
import { lazyPart } from './lazy-part.ts'
import { shownPath } from './thumbnail.tsx'

const Compare = lazyPart(() => import('./compare.tsx'), 'Compare')

interface Props {
  before: Execution
  after: Execution
  /** Names of both sides. */
  names: readonly [string, string]
}

/** Both images of an output that both executions have, under a slider, and the choice of the output. */
export function ComparedOutputs({ before, after, names }: Props) {
  const [chosen, setChosen] = useState<string>()
  const pairs = outputsOf(after).flatMap((now) => {
    const was = outputsOf(before).find((output) => keyOf(output) === keyOf(now))
    return was === undefined ? [] : [{ key: keyOf(now), title: titleOf(now), was, now }]
  })
  const shown = pairs.find(({ key }) => key === chosen) ?? pairs[0]
  if (shown === undefined) return null
  return (
    <>
      {pairs.length > 1 && (
        <Select
          size="xs"
          mb="xs"
          maw={220}
          aria-label="Compared output"
          allowDeselect={false}
          data={pairs.map(({ key, title }) => ({ value: key, label: title }))}
          value={shown.key}
          onChange={(key) => setChosen(key ?? undefined)}
        />
      )}
      <Suspense>
        <div className={classes.slider}>
          <Compare before={shownPath(shown.was)} after={shownPath(shown.now)} />
        </div>
        <Group justify="space-between" mt={4} mb="sm" maw={720}>
          <Text size="xs" c="dimmed">
            {names[0]} · {shown.was.width} × {shown.was.height}
          </Text>
          <Text size="xs" c="dimmed">
            {names[1]} · {shown.now.width} × {shown.now.height}
          </Text>
        </Group>
      </Suspense>
    </>
  )
}
