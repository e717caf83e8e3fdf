import { describeKubectl, firstOfTheirKind, kubectl } from './page-commands.ts'

const others = kubectl.filter((command) => !firstOfTheirKind.includes(command))

describeKubectl('the other commands of the pages about deployment', others)
