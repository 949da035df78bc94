import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { isServiceUp } from '../api/service-up.ts'

const retryMs = 1_000

/**
 * A component that is loaded when it is first rendered. While the service can't be reached, it is tried again each second, so
 * that a restart of the service shows no error page and loses no unsaved change.
 */
export function lazyPart<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await loaded(load))[name] }))
}

async function loaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (await isServiceUp()) throw error
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}
