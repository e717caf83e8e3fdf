export { buildImages } from './build-images.ts'
