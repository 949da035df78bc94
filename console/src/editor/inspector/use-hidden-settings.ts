import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { providersQuery } from '../../api/providers.ts'
import type { Operation } from '../../api/types.ts'
import { acceptsSeed } from './model-features.ts'

const nothingHidden: readonly string[] = []
const seed: readonly string[] = ['seed']

/** The settings that the model of the node doesn't accept. One that has or had a value stays visible, so that it can be changed. */
export function useHiddenSettings({ asks }: Operation, params: Readonly<Record<string, unknown>>): readonly string[] {
  const hadSeed = useRef(false)
  if (params.seed !== undefined) hadSeed.current = true
  const { data, isPending } = useQuery({ ...providersQuery, enabled: asks !== null })
  if (asks === null || hadSeed.current) return nothingHidden
  // A field that appears when the features are known disturbs less than one that disappears.
  if (data === undefined) return isPending ? seed : nothingHidden
  return acceptsSeed(data, asks, params.model) ? nothingHidden : seed
}
