/** Only kustomize reads a part: what it changes is not known here. */
export class UnreadError extends RangeError {}
