/** An object is not among those that are here; it may be in a part that only kustomize reads. */
export class AbsentError extends RangeError {}
