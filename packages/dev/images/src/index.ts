export { type ImageDescription, listImages } from './image-list.ts'
