import { Button, Code, Stack, Text, Title } from '@mantine/core'
import type { BrandValue, BrandValues } from '../../api/brand.ts'
import classes from './brand.module.css'
import type { Row } from './rows.ts'

interface Props {
  values: BrandValues
  rows: readonly Row[]
  onReplace(name: string, value: BrandValue): void
}

/** The values of the account that apply to the project. */
export function Inherited({ values, rows, onReplace }: Props) {
  const ownNames = new Set(rows.map(({ name }) => name))
  const shown = Object.entries(values).filter(([name]) => !ownNames.has(name))
  if (shown.length === 0) return null
  return (
    <section aria-label="From the account">
      <Stack gap={4} mb="sm">
        <Title order={2} size="h4">
          From the account
        </Title>
        <Text size="sm" c="dimmed">
          Workflows of this project read these values, too.
        </Text>
      </Stack>
      <ul className={classes.rows}>
        {shown.map(([name, value]) => (
          <li key={name} className={classes.inherited}>
            <Code>{name}</Code>
            <Text size="sm" truncate>
              {value.type === 'color' && <span className={classes.swatch} style={{ background: value.value }} />}{' '}
              {value.value}
            </Text>
            <Button
              size="xs"
              variant="default"
              aria-label={`Replace ${name} in this project`}
              onClick={() => onReplace(name, value)}
            >
              Replace
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
