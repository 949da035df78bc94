/** The workflow of a request, by id or slug, and the version that it chooses: by number, by channel, or the newest. */
import { didYouMean } from '../../../shared/suggest.ts'
import { list, show } from '../../../shared/text.ts'
import type { ChannelStore } from '../../domain/workflows/channel.ts'
import { isSlug, type Workflow, type WorkflowStore } from '../../domain/workflows/workflow.ts'
import { type Issue, invalidRequest, notFound } from '../../errors.ts'

/** A version or a channel, at most one of both. Without one, the newest version. */
export interface VersionChoice {
  version?: number | undefined
  channel?: string | undefined
}

export type ChosenVersion = { version: number; issue?: undefined } | { version?: undefined; issue: Issue }

export interface VersionChooser {
  /** Throws `not_found`. */
  findWorkflow(accountId: string, idOrSlug: string): Promise<Workflow>
  /** The version, or the problem with its path in the request. Reads a channel from the database, so that every process sees each move. */
  find(workflow: Workflow, choice: VersionChoice): Promise<ChosenVersion>
  /** Finds like `find`. Throws `invalid_request`. */
  require(workflow: Workflow, choice: VersionChoice | undefined): Promise<number>
}

interface Dependencies {
  workflows: Pick<WorkflowStore, 'find' | 'findBySlug'>
  channels: Pick<ChannelStore, 'find' | 'list'>
}

export function createVersionChooser({ workflows, channels }: Dependencies): VersionChooser {
  async function find(workflow: Workflow, { version, channel }: VersionChoice): Promise<ChosenVersion> {
    if (channel === undefined) return version === undefined ? workflow : publishedVersion(workflow, version)
    if (version !== undefined)
      return { issue: { path: 'channel', message: 'can\'t be used together with "version". Remove one of them.' } }
    const found = await channels.find(workflow.id, channel)
    return found ?? { issue: await unknownChannel(workflow, channel) }
  }

  async function unknownChannel({ id, slug }: Workflow, name: string): Promise<Issue> {
    const names = (await channels.list(id)).map((other) => other.name)
    const known = names.length === 0 ? 'It has no channels.' : `Its channels: ${list(names)}.`
    const hint = didYouMean(name, names) || known
    const message = `is ${show(name)}, but workflow ${show(slug ?? id)} has no channel with this name. ${hint}`
    return { path: 'channel', message }
  }

  return {
    async findWorkflow(accountId, idOrSlug) {
      const workflow = isSlug(idOrSlug)
        ? await workflows.findBySlug(accountId, idOrSlug)
        : await workflows.find(accountId, idOrSlug)
      if (workflow === undefined) throw notFound('workflow', idOrSlug)
      return workflow
    },
    find,
    async require(workflow, choice = {}) {
      const found = await find(workflow, choice)
      if (found.issue) throw invalidRequest([found.issue])
      return found.version
    },
  }
}

/** The version of this number, if the workflow has it: versions are numbered without gaps. */
export function publishedVersion({ id, slug, version: newest }: Workflow, version: number): ChosenVersion {
  if (version >= 1 && version <= newest) return { version }
  const range = newest === 1 ? 'only version 1' : `the versions 1 to ${newest}`
  return { issue: { path: 'version', message: `is ${version}, but workflow ${show(slug ?? id)} has ${range}` } }
}
