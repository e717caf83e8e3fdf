/** Stands where a client may ask which operations it is allowed: there is no authorizer, so the answer is "not asked for". */
export const NO_OPERATIONS = -2_147_483_648
