/** The service under test and a photo for it, for the programs of generated clients. */
import { readFileSync } from 'node:fs'

const { BASE_URL = '', API_KEY = '', WORKFLOW_ID = '', PHOTO = '' } = process.env

export const baseUrl = BASE_URL
export const key = API_KEY
export const workflowId = WORKFLOW_ID
export const photo = new File([readFileSync(PHOTO)], 'photo.jpg', { type: 'image/jpeg' })
