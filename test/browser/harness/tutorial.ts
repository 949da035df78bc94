/** The ten steps of docs/guide/console-tutorial.md, done as the page says. */
import type { Page } from 'playwright-core'
import {
  card,
  choose,
  field,
  inspector,
  outputCard,
  result,
  runPanel,
  select,
  showEverything,
  waitUntilLoaded,
} from './editor.ts'
import { type DraggedFile, dropFiles } from './files.ts'
import { fill } from './fill.ts'
import { addAt, dragBehind } from './mouse.ts'

export interface TutorialStep {
  act(): Promise<void>
  /** Makes room for the next step. Not part of a picture of this step. */
  leave?(): Promise<void>
}

export interface TutorialOptions {
  key: string
  photo: DraggedFile
  /** Called with each label that a step looks for on the page. */
  onLabel?(label: string): void
}

/** The last step publishes the workflow. */
export function tutorialSteps(page: Page, { key, photo, onLabel }: TutorialOptions): TutorialStep[] {
  const label = (text: string): string => {
    onLabel?.(text)
    return text
  }
  const setAll = async (id: string, params: Record<string, [name: string, value: unknown]>): Promise<void> => {
    for (const [title, [name, value]] of Object.entries(params)) {
      await fill(page, `nodes.${id}.params.${name}`, value)
      await inspector(page).getByText(label(title), { exact: true }).first().waitFor()
    }
  }
  const signIn = page.getByRole('button', { name: label('Sign in'), exact: true })
  return [
    {
      async act() {
        await page.goto('/')
        await page.getByRole('textbox', { name: label('API key') }).fill(key)
      },
      async leave() {
        await signIn.click()
        await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor()
      },
    },
    {
      async act() {
        await page.getByRole('link', { name: label('Storage'), exact: true }).click()
        await page.getByRole('heading', { name: 'Storage' }).waitFor()
        await dropFiles(page, [photo])
        await page.getByText('1 image uploaded').waitFor()
        for (const image of await page
          .getByRole('button', { name: /^Open / })
          .locator('img')
          .all())
          await waitUntilLoaded(image)
      },
    },
    {
      async act() {
        await page.getByRole('link', { name: label('Workflows'), exact: true }).click()
        await page
          .getByRole('button', { name: label('New workflow') })
          .first()
          .click()
        const name = page.getByRole('textbox', { name: 'Name of the workflow' })
        await name.fill('Launch card')
        await name.press('Enter')
      },
    },
    {
      async act() {
        for (const [index, name] of ['photo', 'headline'].entries()) {
          await inspector(page)
            .getByRole('button', { name: index === 0 ? label('Add a parameter') : 'Add a parameter' })
            .click()
          const entry = field(page, `parameters.${index}.name`).getByRole('textbox')
          await entry.fill(name)
          await entry.press('Enter')
          await fill(page, `parameters.${index}.required`, true)
        }
        await inspector(page).getByText(label('Required'), { exact: true }).first().waitFor()
      },
    },
    {
      async act() {
        await addAt(page, 0.2, 0.3, 'photo')
        await field(page, 'nodes.photo.params.source').waitFor()
      },
    },
    {
      async act() {
        await dragBehind(page, 'photo')
        await choose(page, label('Resize'))
        await setAll('resize', {
          Width: ['width', 1200],
          Height: ['height', 630],
          Fit: ['fit', 'cover'],
          Position: ['position', 'attention'],
        })
      },
    },
    {
      async act() {
        await dragBehind(page, 'resize')
        await choose(page, label('Text'))
        await fill(page, 'nodes.text.params.text', '{{ headline }}')
        await setAll('text', {
          Box: ['box', { x: 64, y: 440, width: 1072, height: 150 }],
          Size: ['size', 96],
          Weight: ['weight', 700],
          Colour: ['color', 'white'],
        })
        for (const title of ['Left', 'Top', 'Width', 'Height']) {
          // The label of a required field continues with an asterisk.
          const text = new RegExp(`^${label(title)}(\\*|$)`)
          await inspector(page).getByText(text).first().waitFor()
        }
        await showEverything(page)
      },
    },
    {
      async act() {
        await select(page, outputCard)
        await inspector(page).getByText(label('Format'), { exact: true }).waitFor()
        await fill(page, 'output.format', 'webp')
      },
    },
    {
      async act() {
        await runPanel(page).getByRole('button', { name: 'Show the run panel' }).click()
        await field(page, 'parameters.photo')
          .getByRole('button', { name: label('Choose'), exact: true })
          .click()
        await page.getByRole('dialog').getByRole('button', { name: photo.name }).first().click()
        await field(page, 'parameters.headline').getByRole('textbox').fill('Make a wish')
        await runPanel(page)
          .getByRole('button', { name: label('Run'), exact: true })
          .click()
        await waitUntilLoaded(result(page))
        for (const id of ['photo', 'resize', 'text']) await waitUntilLoaded(card(page, id).locator('img'))
        await showEverything(page)
      },
    },
    {
      async act() {
        await page.getByRole('button', { name: label('Publish'), exact: true }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).waitFor()
      },
      async leave() {
        await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
        await page.getByText('Version 1', { exact: true }).waitFor()
      },
    },
  ]
}
