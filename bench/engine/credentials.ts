/** Content Credentials: signing and reading back, as an execution does it after encoding. */
import sharp from 'sharp'
import { generated, never, openTestCredentials } from '../../src/credentials/testing.ts'
import { type Cost, inTurns, photograph } from './lab.ts'

export interface CredentialsResult {
  format: string
  signing: Cost
  encoding: Cost
}

const rounds = 101

export async function measureCredentials(): Promise<CredentialsResult[]> {
  const credentials = openTestCredentials()
  const image = await photograph(1200, 630)
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const results: CredentialsResult[] = []
  for (const format of ['jpeg', 'webp', 'avif'] as const) {
    const encode = () => sharp(data, { raw: info }).toFormat(format).toBuffer()
    const bytes = await encode()
    const { signing, encoding } = await inTurns(
      { signing: () => credentials.sign({ format, bytes }, generated, { signal: never }), encoding: encode },
      format === 'avif' ? rounds / 5 : rounds,
    )
    results.push({ format, signing, encoding })
  }
  await credentials.close()
  return results
}
