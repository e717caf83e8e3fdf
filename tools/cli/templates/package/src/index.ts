export { templateApp } from './template-app.ts'
