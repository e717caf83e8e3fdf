/** Longest id of a group, instance, client or transaction, or name of an assignment strategy: they are kept with each member. */
export const MAX_ID_CHARACTERS = 1000
