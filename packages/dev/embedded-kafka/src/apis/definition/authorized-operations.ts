/** The operations that a client is allowed. There is no authorizer, so the answer is "not asked for". */
export const NO_OPERATIONS = -2_147_483_648
