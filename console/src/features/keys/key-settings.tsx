import { NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { KeyRecord, KeySettings } from '../../api/keys.ts'

export const settingNames = ['name', 'dailyBudgetUsd', 'monthlyBudgetUsd'] as const

interface Values {
  name: string
  /** Dollars. An empty text without a budget. */
  day: number | string
  month: number | string
}

/** The state of the fields, and the settings as the API accepts them. */
export function useKeySettings(
  record?: Pick<KeyRecord, (typeof settingNames)[number] | 'executionsPerMinute' | 'exampleImageId'>,
) {
  const [values, setValues] = useState<Values>({
    name: record?.name ?? '',
    day: record?.dailyBudgetUsd ?? '',
    month: record?.monthlyBudgetUsd ?? '',
  })
  const { name, day, month } = values
  const settings: KeySettings = {
    name: name.trim(),
    ...(day === '' ? {} : { dailyBudgetUsd: Number(day) }),
    ...(month === '' ? {} : { monthlyBudgetUsd: Number(month) }),
    ...(record?.executionsPerMinute === undefined ? {} : { executionsPerMinute: record.executionsPerMinute }),
    ...(record?.exampleImageId === undefined ? {} : { exampleImageId: record.exampleImageId }),
  }
  return { values, settings, onChange: (change: Partial<Values>) => setValues({ ...values, ...change }) }
}

interface Props {
  values: Values
  onChange(change: Partial<Values>): void
  problems: Partial<Record<(typeof settingNames)[number], string>>
}

export function NameField({ values, onChange, problems }: Props) {
  return (
    <TextInput
      label="Name"
      description="The program or person that uses the key."
      placeholder="Shop backend"
      data-autofocus
      value={values.name}
      onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      error={problems.name}
    />
  )
}

export function BudgetFields({ values, onChange, problems }: Props) {
  const common = { placeholder: 'No limit', prefix: '$', min: 0 }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <NumberInput
        label="Daily budget"
        description="For AI models, in US dollars."
        value={values.day}
        onChange={(day) => onChange({ day })}
        error={problems.dailyBudgetUsd}
        {...common}
      />
      <NumberInput
        label="Monthly budget"
        description="Days and months are in UTC."
        value={values.month}
        onChange={(month) => onChange({ month })}
        error={problems.monthlyBudgetUsd}
        {...common}
      />
    </SimpleGrid>
  )
}
