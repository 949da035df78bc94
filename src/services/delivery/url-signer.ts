/** Signs URLs for the owner of a signing key, who gets to know what a response to a wrong URL doesn't say. */
import { didYouMean } from '../../../shared/suggest.ts'
import { isLive } from '../../domain/accounts/key.ts'
import { type Clock, timestamp } from '../../domain/clock.ts'
import { formatFor } from '../../domain/delivery/delivery.ts'
import { signUrl } from '../../domain/delivery/signed-url.ts'
import type { SigningKey } from '../../domain/delivery/signing-key.ts'
import type { ImageStore } from '../../domain/images/image.ts'
import { type Fault, type Issue, invalidRequest, undefinedIfMissing } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { forRequest, type VersionCache } from '../workflows/version-cache.ts'
import type { VersionChooser } from '../workflows/version-chooser.ts'
import type { PlanFile } from './plan-file.ts'
import { renditionOf, renditionParameters } from './renditions.ts'
import type { SigningKeys } from './signing-keys.ts'
import { type Target, targetOf } from './target.ts'

export interface UrlRequest {
  /** The last part of the path: `card@live.webp`, or `img_....webp`. */
  file: string
  /** Text as it is, other values as JSON. */
  parameters: Record<string, unknown>
  /** Default: `deliveryUrlSeconds`. */
  expiresInSeconds?: number | undefined
}

export interface UrlSigner {
  /** Throws `not_found` for the key, and `invalid_request` if a request with the URL would be rejected. */
  sign(accountId: string, keyId: string, request: UrlRequest): Promise<{ url: string; expiresAt: string }>
}

interface Dependencies {
  signingKeys: Pick<SigningKeys, 'find'>
  versionChooser: Pick<VersionChooser, 'findWorkflow' | 'find'>
  versionCache: Pick<VersionCache, 'get'>
  images: Pick<ImageStore, 'find'>
  planFile: PlanFile
  /** `PUBLIC_URL`. */
  serviceUrl(): string
  clock: Clock
}

type Texts = [name: string, value: string][]

export function createUrlSigner(dependencies: Dependencies): UrlSigner {
  const { signingKeys, versionChooser, versionCache, images, planFile, serviceUrl, clock } = dependencies

  async function workflowIssues(
    key: SigningKey,
    { workflow: name, version, channel, extension }: Extract<Target, { kind: 'workflow' }>,
    parameters: Texts,
  ): Promise<Issue[]> {
    const workflow = await versionChooser.findWorkflow(key.accountId, name).catch(undefinedIfMissing)
    if (workflow === undefined) return [{ path: 'file', message: 'names a workflow that does not exist.' }]
    if (key.workflowIds?.includes(workflow.id) === false)
      return [{ path: 'file', message: 'names a workflow whose URLs the key may not sign. Add it to the key.' }]
    const { version: number, issue } = await versionChooser.find(workflow, { version, channel })
    if (issue) return [{ path: 'file', message: `is wrong: the ${issue.path} ${issue.message}` }]
    const checked = await forRequest(
      versionCache.get({
        accountId: key.accountId,
        workflowId: workflow.id,
        workflowVersion: number,
        outputFormat: formatFor(extension, ''),
      }),
    )
    const plan = await planFile(checked, { parameters, key, projectId: workflow.projectId })
    if (plan.kind === 'denied') return [plan.issue]
    return plan.kind === 'invalid' ? plan.issues : []
  }

  async function imageIssues(
    key: SigningKey,
    { imageId, extension }: Extract<Target, { kind: 'image' }>,
    parameters: Texts,
  ): Promise<Issue[]> {
    if (!key.images) return [{ path: 'keyId', message: 'may not sign URLs of images. Set "images" of the key.' }]
    if (!(await images.find(key.accountId, imageId)))
      return [{ path: 'file', message: 'names an image that does not exist.' }]
    const unknown = parameters.map(([name]) => name).filter((name) => !renditionNames.has(name))
    if (unknown.length > 0)
      return unknown.map((name) => ({ path: `parameters.${name}`, message: unknownRendition(name) }))
    const requested = renditionOf(parameters, formatFor(extension, ''))
    if (requested === undefined)
      return [{ path: 'file', message: 'must end in .png, .jpg, .webp, .avif or .auto for another size of an image.' }]
    return requested.issues.map(({ path, message }) => ({ path: `parameters.${path}`, message }))
  }

  return {
    async sign(accountId, keyId, { file, parameters, expiresInSeconds = limits.deliveryUrlSeconds }) {
      const key = await signingKeys.find(accountId, keyId)
      const now = clock.now()
      if (!isLive(key, now))
        throw invalidRequest([{ path: 'keyId', message: 'is the id of a signing key that is revoked or expired.' }])
      const target = targetOf(`/i/${file}`)
      if (target === undefined) throw invalidRequest([{ path: 'file', message: fileForm }])
      const texts = Object.entries(parameters).map(([name, value]): Texts[number] => [name, textOf(value)])
      // Half of a character of two code units has no UTF-8.
      const broken = texts.filter((text) => !text.every((part) => part.isWellFormed()))
      if (broken.length > 0)
        throw invalidRequest(
          broken.map(([name]) => ({ path: `parameters.${name}`, message: 'must be valid Unicode text' })),
        )
      const issues =
        target.kind === 'workflow' ? await workflowIssues(key, target, texts) : await imageIssues(key, target, texts)
      if (issues.length > 0) throw invalidRequest(issues)
      const expires = Math.floor(now / 1_000) + expiresInSeconds
      const signed = { path: `/i/${file}`, parameters: Object.fromEntries(texts), expires, keyId }
      const url = signUrl(signed, key.secret)
      if (url.length > limits.deliveryUrlCharsMax) throw tooLong(url.length)
      return { url: `${serviceUrl()}${url}`, expiresAt: timestamp(expires * 1_000) }
    },
  }
}

const fileForm =
  'must be <slug>.<ext>, <slug>@<version or channel>.<ext> or <image id>.<ext>, with the extension png, jpg, webp, avif, gif, tiff or auto.'

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function tooLong(chars: number): Fault {
  const message = `make a URL of ${chars} characters. The maximum is ${limits.deliveryUrlCharsMax}.`
  return invalidRequest([{ path: 'parameters', message }])
}

const renditionNames: ReadonlySet<string> = new Set(renditionParameters)

function unknownRendition(name: string): string {
  const hint = didYouMean(name, renditionNames) || `Allowed: ${renditionParameters.join(', ')}.`
  return `is not a known parameter of an image. ${hint}`
}
