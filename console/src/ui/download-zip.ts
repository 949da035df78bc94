import { downloadZip as zipOf } from 'client-zip'
import { readImage } from '../api/images.ts'
import { saveBlob } from './download-file.ts'

/** Downloads images as one ZIP file, which the browser makes. Throws if an image can't be read. */
export async function downloadZip(archive: string, images: readonly { url: string; name: string }[]): Promise<void> {
  const used = new Map<string, number>()
  const entries = images.map(({ url, name }) => {
    const count = used.get(name) ?? 0
    used.set(name, count + 1)
    return { url, name: count === 0 ? name : name.replace(/(\.\w+)?$/, `-${count + 1}$1`) }
  })
  async function* files() {
    for (const { url, name } of entries) {
      yield { name, input: await readImage(url) }
    }
  }
  saveBlob(archive, await zipOf(files()).blob())
}
